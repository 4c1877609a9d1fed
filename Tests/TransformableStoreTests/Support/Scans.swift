import EncryptionPlugin
import Foundation
import StandardPlugin
import Testing
import Transformable
import TransformableStore

/// Scans that are stored externally from 500 bytes on, and the keys that they are sealed with.
struct Scans {
    let folder: Folder
    var ring: KeyRing

    init() throws {
        folder = try Folder()
        ring = try KeyRing.empty.addingKey(named: "clinic")
    }

    static func attribute(_ expression: String?) -> AttributeDescription {
        guard let expression else { return .data("bytes", .optional, .externalStorage(over: 500)) }
        return .transformed("bytes", expression, as: Data.self, .optional, .externalStorage(over: 500))
    }

    func store(_ expression: String?, version: Int = 1, extra: [AttributeDescription] = []) throws -> Store {
        let ring = ring
        let registry = try TransformerRegistry {
            StandardPlugin()
            EncryptionPlugin(keys: ring)
        }
        let scan = EntityDescription("Scan", attributes: [Self.attribute(expression)] + extra)
        return try Store.trial(
            at: folder.file(),
            model: Model(version: version, entities: [scan]),
            transformers: registry
        )
    }

    /// Bytes that depend on a number.
    static func bytes(_ number: Int, _ count: Int) -> Data {
        Data((0..<count).map { UInt8(truncatingIfNeeded: ($0 &* 2_654_435_761) >> 11 &+ number) })
    }

    static let counts = [0, 10, 400, 501, 70_000, 300_000]

    static func fill(_ store: Store) throws {
        try store.write { context in
            for (number, count) in counts.enumerated() {
                try context.insert("Scan").setValue(bytes(number, count), for: "bytes")
            }
            _ = try context.insert("Scan")
        }
    }

    /// Whether exactly the expected objects exist.
    func expectWhole(_ store: Store, sourceLocation: SourceLocation = #_sourceLocation) throws {
        let values = try store.read { try $0.fetch("Scan").map { try $0.value("bytes", as: Data?.self) } }
        let expected: [Data?] = Self.counts.enumerated().map { Self.bytes($0, $1) } + [nil]
        #expect(values == expected, sourceLocation: sourceLocation)
        try expectClean(store, sourceLocation: sourceLocation)
    }

    /// Whether the store contains exactly the blobs that cells refer to.
    func expectClean(_ store: Store, sourceLocation: SourceLocation = #_sourceLocation) throws {
        #expect(try store.verify().faults.map(\.description) == [], sourceLocation: sourceLocation)
        #expect(try store.removeOrphanedBlobs() == 0, sourceLocation: sourceLocation)
        #expect(try Set(folder.externalNames()) == referredNames(), sourceLocation: sourceLocation)
        guard EachEngine.current == .sqlite else { return }
        #expect(try folder.unfinished().isEmpty, sourceLocation: sourceLocation)
    }

    /// Returns the names of the blobs that cells refer to.
    private func referredNames() throws -> Set<String> {
        let prefix = Data("blob:".utf8)
        let cells = try Trial.cells("SELECT \"bytes\" FROM \"Scan\"", in: folder.file())
        return Set(
            cells.compactMap { cell in
                guard case .text(let name) = cell[0], name.utf8.starts(with: prefix) else { return nil }
                return String(name.dropFirst(prefix.count))
            }
        )
    }

    /// Returns the name of the blob of an object.
    func name(of object: Int) throws -> String {
        let cells = try Trial.cells("SELECT \"bytes\" FROM \"Scan\" WHERE \"_id\" = \(object)", in: folder.file())
        guard case .text(let name)? = cells.first?[0] else { return "" }
        return String(name.dropFirst("blob:".count))
    }
}

extension Folder {
    /// Returns the names of blobs, in files or in a table.
    func externalNames() throws -> [String] {
        guard EachEngine.current == .postgres else { return try blobs() }
        let names = try Trial.cells("SELECT upper(CAST(\"uuid\" AS text)) FROM \"_transformable_blob\"", in: file())
        return names.compactMap { if case .text(let name) = $0[0] { name } else { nil } }
    }

    /// Returns the bytes of a blob.
    func externalBytes(_ name: String) throws -> Data {
        guard EachEngine.current == .postgres else { return try Data(contentsOf: blob(name)) }
        let sql = "SELECT \"bytes\" FROM \"_transformable_chunk\" WHERE \"blob\" = '\(name)' ORDER BY \"index\""
        return try Trial.cells(sql, in: file())
            .reduce(into: Data()) { bytes, cells in
                if case .blob(let piece) = cells[0] { bytes += piece }
            }
    }

    /// Replaces the bytes of a blob with those of a short text, without the store's knowledge.
    func damage(_ name: String, with text: String) throws {
        guard EachEngine.current == .postgres else { return try Data(text.utf8).write(to: blob(name)) }
        let rest = "DELETE FROM \"_transformable_chunk\" WHERE \"blob\" = '\(name)' AND \"index\" > 0"
        let first = "UPDATE \"_transformable_chunk\" SET \"bytes\" = '\(text)'::bytea WHERE \"blob\" = '\(name)'"
        try Trial.run("\(rest); \(first)", in: file())
    }
}
