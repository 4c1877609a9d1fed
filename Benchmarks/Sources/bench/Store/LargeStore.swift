import EncryptionPlugin
import Foundation
import GRDB
import GeometryPlugin
import Transformable
import TransformableSQLite
import TransformableStore

/// A million rows whose sealed text is found by a keyed digest, and the same texts in an indexed GRDB column.
struct LargeStore {
    private static let count: Int64 = 1_000_000
    private static let model = Result {
        try Model(entities: [
            EntityDescription(
                "Patient",
                attributes: [
                    .string("name"),
                    .transformed(
                        "ssn",
                        "sealed",
                        as: String.self,
                        .projected("blind-index(bits: 32)", indexed: true)
                    ),
                ]
            )
        ])
    }

    private let folder: TemporaryFolder
    private let registry: TransformerRegistry
    private let store: Store
    private let plain: DatabasePool

    init() throws {
        folder = try TemporaryFolder()
        let keys = try KeyRing.empty.addingKey()
        registry = try TransformerRegistry { EncryptionPlugin(keys: keys) }
        store = try Store(at: folder.file("store"), model: Self.model.get(), transformers: registry)
        try store.insert(many: 1...Self.count, into: "Patient") { patient, number in
            try patient.setValue(Patient.name(number), for: "name")
            try patient.setValue(Patient.ssn(number), for: "ssn")
        }
        plain = try DatabasePool(path: folder.file("plain").path)
        try plain.write { database in
            try database.execute(sql: "CREATE TABLE patient (id INTEGER PRIMARY KEY, name TEXT, ssn TEXT)")
            for number in 1...Self.count {
                try database.execute(
                    sql: "INSERT INTO patient VALUES (?, ?, ?)",
                    arguments: [number, Patient.name(number), Patient.ssn(number)]
                )
            }
            try database.execute(sql: "CREATE INDEX ssn ON patient (ssn)")
        }
        try Disagreement.unless(try find(77) == 77 && findPlain(77) == 77, "the row that is found")
    }

    /// Reopens the file, as a program does when it starts.
    func open() throws {
        try Store(at: folder.file("store"), model: Self.model.get(), transformers: registry).close()
    }

    func openPlain() throws {
        let pool = try DatabasePool(path: folder.file("plain").path)
        consume(try pool.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM sqlite_schema") })
        try pool.close()
    }

    func find(_ number: Int64) throws -> Int64? {
        try store.read { context in
            try context.ids("Patient", where: Field("ssn") == Patient.ssn(number)).first?.number
        }
    }

    func findPlain(_ number: Int64) throws -> Int64? {
        try plain.read { database in
            try Int64.fetchOne(
                database,
                sql: "SELECT id FROM patient WHERE ssn = ?",
                arguments: [Patient.ssn(number)]
            )
        }
    }
}
