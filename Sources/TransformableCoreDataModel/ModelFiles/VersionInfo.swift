internal import Foundation
internal import _PropertyLists

/// What the property lists beside the versions of a model say: which version is current, and the version hashes.
struct VersionInfo {
    private static let limits = PropertyListLimits(bytes: 16 << 20, objects: 1_000_000)
    private static let hashLength = 32

    /// The name of the current version.
    let current: String?
    /// The version hash of each entity, by version.
    let hashes: [String: [String: Data]]

    /// Reads `VersionInfo.plist` in an `.momd`, or returns `nil` if there is none.
    init?(folder: String) throws(CoreDataError) {
        let file = "\(folder)/VersionInfo.plist"
        guard FileManager.default.fileExists(atPath: file) else { return nil }
        let table = try Self.table(at: file)
        let root = table.nodes[table.root]
        current = Self.text("NSManagedObjectModel_CurrentVersionName", in: table)
        var hashes: [String: [String: Data]] = [:]
        if root.kind == .dictionary, let index = table.value(named: "NSManagedObjectModel_VersionHashes", in: root) {
            for (version, entities) in Self.pairs(index, in: table) {
                hashes[version] = Dictionary(Self.pairs(entities, in: table).compactMap { Self.hash($0, in: table) }) {
                    $1
                }
            }
        }
        self.hashes = hashes
    }

    /// Returns the name of the version in `.xccurrentversion`.
    static func currentVersion(at file: String) throws(CoreDataError) -> String? {
        text("_XCCurrentVersionName", in: try table(at: file))
    }

    private static func table(at file: String) throws(CoreDataError) -> PropertyListTable {
        let bytes = try ModelPath.contents(of: file)
        do {
            return try PropertyListReader.read(bytes, limits: limits).table
        } catch {
            throw CoreDataError(.invalidModel, "the property list is malformed", file: file, underlying: error)
        }
    }

    private static func text(_ name: String, in table: PropertyListTable) -> String? {
        let root = table.nodes[table.root]
        guard root.kind == .dictionary, let index = table.value(named: name, in: root) else { return nil }
        return table.text(table.nodes[index]).flatMap { $0.isEmpty ? nil : $0 }
    }

    private static func pairs(_ index: Int, in table: PropertyListTable) -> [(key: String, value: Int)] {
        let node = table.nodes[index]
        guard node.kind == .dictionary else { return [] }
        return zip(table.keys(of: node), table.values(of: node))
            .compactMap { key, value in table.text(table.nodes[Int(key)]).map { ($0, Int(value)) } }
    }

    private static func hash(_ pair: (key: String, value: Int), in table: PropertyListTable) -> (String, Data)? {
        let node = table.nodes[pair.value]
        guard node.kind == .data, node.count == hashLength else { return nil }
        return (pair.key, table.data(node))
    }
}
