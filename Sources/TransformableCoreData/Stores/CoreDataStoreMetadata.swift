public import Foundation
internal import _PropertyLists

/// The metadata of a Core Data store.
///
/// The store can contain more, because apps keep information of their own there.
public struct CoreDataStoreMetadata: Sendable, Hashable {
    /// The store's UUID, which is part of the URIs of its objects.
    public var uuid: UUID?
    /// The version of Core Data that last wrote the store, such as 1344.
    public var frameworkVersion: Int?
    /// The identifiers that the app gave to the version of its model.
    public var versionIdentifiers: [String] = []
    /// The version hash of each entity, 32 bytes.
    public var versionHashes: [String: Data] = [:]
    /// A digest of the version hashes: SHA-512 as Base64.
    ///
    /// Stores have contained it since iOS 13.
    public var versionHashesDigest: String?
    /// The checksum of the model as Base64.
    ///
    /// Stores have contained it since iOS 17.
    public var modelChecksum: String?

    /// Creates metadata without content.
    public init() {}

    /// The digest that the version hashes should have, or `nil` if there are none.
    public var computedDigest: String? {
        guard !versionHashes.isEmpty else { return nil }
        // Sorted by bytes.
        let entries = versionHashes.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
        let message = entries.reduce(into: Data()) { $0 += Data($1.key.utf8) + $1.value }
        return SHA512.hash(message).base64EncodedString()
    }
}

extension CoreDataStoreMetadata {
    private static let limits = PropertyListLimits(bytes: 16 << 20, objects: 1 << 20)

    /// Reads the metadata of a store.
    ///
    /// - Parameters:
    ///   - uuid: The UUID, as text.
    ///   - plist: The property list, or `nil` if there is none.
    /// - Throws: `CoreDataError` with the code `damaged-store`.
    init(uuid: String?, plist: Data?) throws(CoreDataError) {
        self.uuid = uuid.flatMap(UUID.init)
        guard let plist else { return }
        let table: PropertyListTable
        do {
            table = try PropertyListReader.read(plist, limits: Self.limits).table
        } catch {
            throw CoreDataError(.damagedStore, "its metadata cannot be read", underlying: error)
        }
        let root = table.nodes[table.root]
        guard root.kind == .dictionary else { throw CoreDataError(.damagedStore, "its metadata is not a dictionary") }
        func node(_ name: String) -> PropertyListNode? { table.value(named: name, in: root).map { table.nodes[$0] } }
        frameworkVersion = node("NSPersistenceFrameworkVersion").flatMap(table.integer).flatMap { Int(exactly: $0) }
        versionHashesDigest = node("NSStoreModelVersionHashesDigest").flatMap(table.text)
        modelChecksum = node("NSStoreModelVersionChecksumKey").flatMap(table.text)
        if let list = node("NSStoreModelVersionIdentifiers"), [.array, .set].contains(list.kind) {
            versionIdentifiers = table.elements(of: list).compactMap { table.text(table.nodes[Int($0)]) }
        }
        if let hashes = node("NSStoreModelVersionHashes"), hashes.kind == .dictionary {
            versionHashes = try Self.hashes(hashes, in: table)
        }
    }

    private static func hashes(
        _ node: PropertyListNode,
        in table: PropertyListTable
    ) throws(CoreDataError) -> [String: Data] {
        var hashes: [String: Data] = [:]
        for (key, value) in zip(table.keys(of: node), table.values(of: node)) {
            let (name, hash) = (table.text(table.nodes[Int(key)]), table.nodes[Int(value)])
            guard let name, hash.kind == .data, hash.count == 32 else {
                throw CoreDataError(.damagedStore, "the version hashes in its metadata are damaged")
            }
            hashes[name] = table.data(hash)
        }
        return hashes
    }
}
