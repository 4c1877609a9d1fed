import EncryptionPlugin
import Foundation
import GRDB
import StandardPlugin
import Transformable
import TransformableModel
import TransformableSQLite
import TransformableStore

/// A store with every type of attribute, references of every kind, sealed values, and blobs.
struct ClinicStore {
    let folder = FileManager.default.temporaryDirectory.appending(path: "clinic-\(UUID().uuidString)")
    let registry: TransformerRegistry
    var url: URL { folder.appending(path: "clinic.sqlite") }

    init() throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let ring = try KeyRing.empty.addingKey()
        registry = try TransformerRegistry {
            StandardPlugin()
            EncryptionPlugin(keys: ring)
        }
    }

    func remove() { try? FileManager.default.removeItem(at: folder) }

    /// A new path for a store.
    func file() -> URL { folder.appending(path: "\(UUID().uuidString).sqlite") }

    func open(_ url: URL? = nil) throws -> Store {
        try Store(at: url ?? self.url, model: Self.model(), transformers: registry)
    }

    static func model() throws -> Model {
        try Model(entities: [patient, visit, animal, dog, cat, group])
    }

    private static let patient = EntityDescription(
        "Patient",
        attributes: [
            .int8("a", .optional), .int16("b", .optional), .int32("c", .optional), .int64("d", .optional),
            .uint8("e", .optional), .uint16("f", .optional), .uint32("g", .optional), .uint64("h", .optional),
            .float("weight", .optional), .double("height", .optional), .decimal("fee", .optional),
            .boolean("isActive", .optional), .string("name", .indexed), .date("born", .optional),
            .data("photo", .optional, .externalStorage(over: 1000)), .uuid("card", .optional, .unique),
            .url("page", .optional), .data("xmin", .optional),
            .transformed(
                "ssn",
                "sealed",
                as: String.self,
                .optional,
                .projected("blind-index(bits: 16)", as: "ssn_index")
            ),
            .transformed("scan", "sealed", as: Data.self, .optional, .externalStorage(over: 1000)),
        ],
        relationships: [
            .toOne("pet", "Animal"), .toMany("visits", "Visit", ordered: true, inverse: "patient"),
            .toMany("groups", "Group", ordered: true, inverse: "members"),
        ],
        indexes: [[SortKey(name: "name", isDescending: false), SortKey(name: "born", isDescending: true)]],
        authenticatesRows: true
    )
    private static let visit = EntityDescription(
        "Visit",
        attributes: [.date("day"), .string("note", .optional)],
        relationships: [.toOne("patient", "Patient", inverse: "visits")]
    )
    private static let animal = EntityDescription("Animal", abstract: true, attributes: [.string("name", .optional)])
    private static let dog = EntityDescription("Dog", parent: "Animal")
    private static let cat = EntityDescription("Cat", parent: "Animal")
    private static let group = EntityDescription(
        "Group",
        attributes: [.string("name", .optional)],
        relationships: [.toMany("members", "Patient", inverse: "groups")]
    )

    static let large = Data((0..<700_000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) })

    /// Creates the store with some patients, the third of which has no values.
    func fill(count: Int = 3) throws {
        let store = try open()
        try store.write { context in
            let group = try context.insert("Group")
            let pet = try context.insert("Cat")
            for number in 0..<count {
                let patient = try context.insert("Patient")
                try patient.setValue("Adá “\(number)” 🐈\\N\t\n", for: "name")
                guard number != 2 else { continue }
                try Self.fill(patient, number)
                try patient.setObject(pet, for: "pet")
                try patient.setObjects([group], for: "groups")
                let visit = try context.insert("Visit")
                try visit.setValue(Date(timeIntervalSinceReferenceDate: Double(number) + 0.1), for: "day")
                try visit.setObject(patient, for: "patient")
            }
            let deleted = try context.insert("Dog")
            try context.save()
            try context.delete(deleted)
        }
        try store.close()
    }

    private static func fill(_ patient: ManagedObject, _ number: Int) throws {
        let isFirst = number == 0
        try patient.setValue(isFirst ? Int8.min : Int8.max, for: "a")
        try patient.setValue(isFirst ? Int16.min : Int16.max, for: "b")
        try patient.setValue(isFirst ? Int32.min : Int32.max, for: "c")
        try patient.setValue(isFirst ? Int64.min : Int64.max, for: "d")
        try patient.setValue(UInt8.max, for: "e")
        try patient.setValue(UInt16.max, for: "f")
        try patient.setValue(UInt32.max, for: "g")
        try patient.setValue(UInt64(Int64.max), for: "h")
        try patient.setValue(isFirst ? Float.infinity : 0.1, for: "weight")
        try patient.setValue(isFirst ? 0.1 + 0.2 : -.greatestFiniteMagnitude, for: "height")
        try patient.setValue(Decimal(string: isFirst ? "-12345678901234567890.0123456789" : "1200"), for: "fee")
        try patient.setValue(isFirst, for: "isActive")
        try patient.setValue(Date(timeIntervalSinceReferenceDate: 0.1 + Double(number)), for: "born")
        try patient.setValue(isFirst ? large : Data("blob:\(UUID())".utf8), for: "photo")
        try patient.setValue(isFirst ? UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F") : UUID(), for: "card")
        try patient.setValue(URL(string: "https://example.org/\(number)?q=ä"), for: "page")
        try patient.setValue(Data([0, 1, 255]), for: "xmin")
        try patient.setValue("078-05-112\(number % 10)", for: "ssn")
        try patient.setValue(isFirst ? large : Data(), for: "scan")
    }

    /// All cells of a file with their kinds, and what its tables were created with, by an independent reader.
    static func dump(_ url: URL) throws -> [String: [String]] {
        let queue = try DatabaseQueue(path: url.path)
        defer { try? queue.close() }
        return try queue.read { database in
            let tables = try String.fetchAll(
                database,
                sql: "SELECT name FROM sqlite_master WHERE type = 'table' AND name <> '_transformable_garbage'"
            )
            var dump: [String: [String]] = [:]
            for table in tables {
                let rows = try Row.fetchAll(database, sql: "SELECT * FROM \"\(table)\"")
                dump[table] = rows.map { row in row.databaseValues.map { "\($0.storage)" }.joined(separator: "|") }
                    .sorted()
            }
            dump[""] =
                try String.fetchAll(
                    database,
                    sql: "SELECT type || ' ' || name || ' ' || tbl_name || ' ' || coalesce(sql, '') FROM sqlite_master"
                )
                .sorted()
            return dump
        }
    }

    /// Runs a statement on the file, as another program would.
    func shell(_ sql: String) throws {
        var configuration = Configuration()
        configuration.foreignKeysEnabled = false
        let queue = try DatabaseQueue(path: url.path, configuration: configuration)
        try queue.write { try $0.execute(sql: sql) }
        try queue.close()
    }
}
