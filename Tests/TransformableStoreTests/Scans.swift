import EncryptionPlugin
import Foundation
import GRDB
import StandardPlugin
import Testing
import Transformable
import TransformableSQLite
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
        return try Store(
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

    /// Whether the folder contains exactly the files that cells refer to.
    func expectClean(_ store: Store, sourceLocation: SourceLocation = #_sourceLocation) throws {
        #expect(try store.verify().faults.map(\.description) == [], sourceLocation: sourceLocation)
        #expect(try store.removeOrphanedBlobs() == 0, sourceLocation: sourceLocation)
        let names = try shell(folder.file()) { database in
            try String.fetchSet(
                database,
                sql: "SELECT substr(bytes, 6) FROM Scan WHERE typeof(bytes) = 'text'"
            )
        }
        #expect(try Set(folder.blobs()) == names, sourceLocation: sourceLocation)
        #expect(try folder.unfinished().isEmpty, sourceLocation: sourceLocation)
    }
}
