import EncryptionPlugin
import Foundation
import StandardPlugin
import Testing
import Transformable
import TransformableModel
import TransformablePostgres
import TransformableSQLite
import TransformableStore
import _PostgresServer

/// Three roles with the privileges that the article Operations grants.
@Suite(.needsPostgres) struct RoleTests {
    private static let article = URL(filePath: #filePath)
        .appending(path: "../../../../Sources/TransformablePostgres/Documentation.docc/Operations.md").standardized

    private enum Role: String {
        case admin, writer, reader
    }

    /// The name of the schema, with which the names of the roles begin.
    private let name = "roles\(UInt32.random(in: 0...UInt32.max))"
    private let model: Model
    private let ring: KeyRing

    init() throws {
        ring = try KeyRing.empty.addingKey()
        model = try Model(entities: [
            EntityDescription(
                "Patient",
                attributes: [
                    .string("name", .unique), .data("photo", .optional, .externalStorage(over: 100)),
                    .transformed(
                        "ssn",
                        "text | sealed",
                        .optional,
                        .projected("blind-index(bits: 16)", as: "ssn_index")
                    ),
                ],
                relationships: [.toMany("groups", "Group", inverse: "members")]
            ),
            EntityDescription(
                "Group",
                attributes: [.string("name")],
                relationships: [.toMany("members", "Patient", inverse: "groups")]
            ),
        ])
    }

    /// The blocks of SQL in the article, with names of our own.
    private func blocks() throws -> [String] {
        let text = try String(contentsOf: Self.article, encoding: .utf8)
        return text.components(separatedBy: "```sql\n").dropFirst()
            .map { part in
                let block = part.components(separatedBy: "```")[0]
                return block.replacing("DATABASE clinic", with: "DATABASE postgres").replacing("clinic", with: name)
            }
    }

    private func address(_ role: Role) throws -> String {
        let folder = try PostgresServer.shared.get().folder.path
        return "postgres:host=\(folder) user=\(name)_\(role.rawValue) dbname=postgres"
    }

    private func connect(_ role: Role) throws -> PostgresConnection {
        try PostgresConnection(PostgresAddress(address(role)), options: PostgresOptions())
    }

    private func open(
        _ role: Role,
        _ options: Store.Options,
        _ ring: KeyRing? = nil,
        creating model: Model? = nil
    ) throws -> Store {
        let ring = ring ?? self.ring
        let registry = try TransformerRegistry {
            StandardPlugin()
            EncryptionPlugin(keys: ring)
        }
        let place = try address(role)
        return try Store(postgres: place, schema: name, model: model, transformers: registry, options: options)
    }

    /// Creates the roles, the store, and the privileges, as the article says.
    private func prepare() throws {
        let blocks = try blocks()
        try #require(blocks.count == 2)
        try PostgresServer.shared.get().grant(blocks[0])
        let store = try open(.admin, .create, creating: model)
        try store.write { context in
            let patient = try context.insert("Patient")
            try patient.setValue("Ada", for: "name")
            try patient.setValue("123-45-6789", for: "ssn")
            try patient.setValue(Data(count: 500), for: "photo")
            try patient.setObjects([context.insert("Group").with("Vips")], for: "groups")
        }
        try store.close()
        try connect(.admin).run(script: blocks[1])
    }

    private func expectRefusal(_ role: Role, _ sql: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
        let error = #expect(throws: StoreError.self, "\(sql)", sourceLocation: sourceLocation) {
            try connect(role).run(script: "SET search_path TO \(name); \(sql)")
        }
        #expect(error?.code == .accessDenied, sourceLocation: sourceLocation)
    }

    @Test func rolesCanDoWhatTheyNeed() throws {
        try prepare()
        let writer = try open(.writer, .mustExist)
        defer { try? writer.close() }
        try writer.write { context in
            let bob = try context.insert("Patient")
            try bob.setValue("Bob", for: "name")
            try bob.setValue(Data(count: 300_000), for: "photo")
            try bob.setObjects(context.fetch("Group"), for: "groups")
            let ada = try #require(context.fetch("Patient", where: Condition("name == \"Ada\"")).first)
            try ada.setValue("987-65-4321", for: "ssn")
            try ada.setValue(Data(count: 600), for: "photo")
        }
        _ = try writer.write { try $0.delete("Group", where: .all) }
        let reader = try open(.reader, .readOnly)
        defer { try? reader.close() }
        #expect(try reader.read { try $0.count("Patient", where: Condition("ssn == \"987-65-4321\"")) } == 1)
        #expect(try reader.read { try $0.count("Group") } == 0)
        let found = try reader.verify()
        #expect(found.isSound && found.blobCount == 2)
        let file = FileManager.default.temporaryDirectory.appending(path: "\(name).sqlite")
        defer { try? FileManager.default.removeItem(at: file) }
        let place = try PostgresAddress(address(.reader))
        let report = try Store.copy(from: place, schema: name, to: file, transformers: TransformerRegistry {})
        #expect(report.objectCount == 2)
    }

    /// Runs one of PostgreSQL's programs.
    private func runProgram(_ program: String, _ arguments: String...) throws {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        let folder = try PostgresServer.shared.get().folder.path
        process.arguments = [program, "--host=\(folder)", "--username=tester", "--no-password"] + arguments
        process.standardOutput = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0)
    }

    @Test func aRestoredDumpIsAStore() throws {
        try prepare()
        let dump = FileManager.default.temporaryDirectory.appending(path: "\(name).sql")
        defer { try? FileManager.default.removeItem(at: dump) }
        try runProgram("pg_dump", "--schema=\(name)", "--file=\(dump.path)", "postgres")
        try runProgram("createdb", "--template=template0", "--encoding=UTF8", name)
        try runProgram("psql", "--quiet", "--set=ON_ERROR_STOP=1", "--file=\(dump.path)", name)
        let registry = try TransformerRegistry {
            StandardPlugin()
            EncryptionPlugin(keys: ring)
        }
        let place = try address(.writer).replacing("dbname=postgres", with: "dbname=\(name)")
        let store = try Store(postgres: place, schema: name, transformers: registry, options: .mustExist)
        defer { try? store.close() }
        let found = try store.verify()
        #expect(found.isSound && found.objectCount == 2 && found.blobCount == 1)
        try store.write { try $0.fetch("Patient")[0].setValue(Data(count: 700), for: "photo") }
        #expect(try store.verify().blobCount == 1)
    }

    @Test func rolesCannotDoMore() throws {
        try prepare()
        for table in ["store", "model", "entity", "attribute", "projection", "schema", "sequence"] {
            try expectRefusal(.writer, "DELETE FROM _transformable_\(table)")
        }
        try expectRefusal(.writer, "CREATE TABLE other (id int)")
        try expectRefusal(.writer, "TRUNCATE \"Patient\"")
        try expectRefusal(.reader, "UPDATE \"Patient\" SET name = 'Eve'")
        try expectRefusal(.reader, "SELECT nextval('\"Patient__id_seq\"')")
        let reader = try open(.reader, .mustExist)
        defer { try? reader.close() }
        let error = #expect(throws: StoreError.self) { _ = try reader.write { try $0.delete("Patient", where: .all) } }
        #expect(error?.code == .accessDenied)
    }

    @Test func functionsOfEarlierVersionsAreReplacedByTheAdministrator() throws {
        try prepare()
        try connect(.admin)
            .run(
                script: """
                    CREATE OR REPLACE FUNCTION \(name)."_blob.Patient.photo"() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
                    DELETE FROM \(name)._transformable_blob WHERE "object" = OLD."_id"; RETURN NULL; END $$
                    """
            )
        let writer = try open(.writer, .mustExist)
        defer { try? writer.close() }
        let fault = try #require(writer.verify().faults.first)
        #expect(fault.entity == "Patient" && fault.message.contains("“photo”"))
        try open(.admin, .mustExist).close()
        #expect(try writer.verify().isSound)
    }

    @Test func rotatedKeysAreRecordedByTheAdministrator() throws {
        try prepare()
        let rotated = try ring.rotatingKey()
        let error = #expect(throws: StoreError.self) { try open(.writer, .mustExist, rotated).close() }
        #expect(error?.code == .accessDenied)
        try open(.admin, .mustExist, rotated).close()
        let writer = try open(.writer, .mustExist, rotated)
        defer { try? writer.close() }
        try writer.write { try $0.insert("Patient").setValue("Bob", for: "name") }
        #expect(try writer.read { try $0.fetch("Patient")[0].value("ssn", as: String.self) } == "123-45-6789")
    }
}

extension ManagedObject {
    fileprivate func with(_ name: String) throws -> ManagedObject {
        try setValue(name, for: "name")
        return self
    }
}
