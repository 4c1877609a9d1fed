import Foundation
import Testing
import TransformableModel
import TransformablePostgres
import TransformableStore
import _PostgresServer

/// Changes of a sealed store's tables that leave the recorded definitions as they are.
@Suite(.needsPostgres) struct TableCheckTests {
    struct Change: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let sql: String
        let entity: String
        /// What the fault names.
        let name: String

        init(_ description: String, _ sql: String, of entity: String = "Visit", _ name: String) {
            testDescription = description
            self.sql = sql
            self.entity = entity
            self.name = name
        }
    }

    private static let function = """
        CREATE FUNCTION spy() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN NEW."note" := 'forged'; RETURN NEW; END $$;
        """

    static let changes: [Change] = [
        Change(
            "a trigger",
            "\(function) CREATE TRIGGER spy BEFORE INSERT ON \"Visit\" FOR EACH ROW EXECUTE FUNCTION spy()",
            "“spy”"
        ),
        Change(
            "a trigger on the metadata",
            "\(function) CREATE TRIGGER spy AFTER UPDATE ON \"_transformable_store\" EXECUTE FUNCTION spy()",
            of: "_transformable_store",
            "“spy”"
        ),
        Change("a rule", "CREATE RULE keep AS ON DELETE TO \"Visit\" DO INSTEAD NOTHING", "“keep”"),
        Change("no key", "ALTER TABLE \"Visit\" DROP CONSTRAINT \"Visit_pkey\"", "\"_id\""),
        Change("no unique index", "DROP INDEX \"_index.Patient.card\"", of: "Patient", "\"card\""),
        Change(
            "an index that is not unique",
            """
            DROP INDEX "_index.Patient.card"; CREATE INDEX "_index.Patient.card" ON "Patient" ("card")
            """,
            of: "Patient",
            "\"card\""
        ),
        Change(
            "a unique index of some rows",
            """
            DROP INDEX "_index.Patient.card";
            CREATE UNIQUE INDEX "_index.Patient.card" ON "Patient" ("card") WHERE "_id" > 9
            """,
            of: "Patient",
            "\"card\""
        ),
        Change("no reference", "ALTER TABLE \"Visit\" DROP CONSTRAINT \"_reference.Visit.patient\"", "“patient”"),
        Change(
            "a reference that deletes",
            """
            ALTER TABLE "Visit" DROP CONSTRAINT "_reference.Visit.patient", ADD CONSTRAINT "_reference.Visit.patient"
            FOREIGN KEY ("patient") REFERENCES "Patient" ON DELETE CASCADE
            """,
            "“patient”"
        ),
        Change(
            "no trigger that deletes an external value",
            "DROP TRIGGER \"_blob.photo.delete\" ON \"Patient\"",
            of: "Patient",
            "“photo”"
        ),
        Change(
            "a disabled trigger",
            "ALTER TABLE \"Patient\" DISABLE TRIGGER \"_blob.photo.update\"",
            of: "Patient",
            "“photo”"
        ),
        Change(
            "another function",
            """
            CREATE OR REPLACE FUNCTION "_blob.Patient.photo"() RETURNS trigger LANGUAGE plpgsql
            SET search_path TO pg_catalog, pg_temp AS 'BEGIN RETURN NULL; END'
            """,
            of: "Patient",
            "“photo”"
        ),
        Change(
            "the search path of a function",
            "ALTER FUNCTION \"_blob.Patient.photo\"() RESET ALL",
            of: "Patient",
            "“photo”"
        ),
    ]

    private let clinic: ClinicStore
    private let schema = "tables-\(UUID().uuidString.prefix(8))"

    init() throws { clinic = try ClinicStore() }

    private func open(_ options: Store.Options = .createIfMissing) throws -> Store {
        try Store(
            postgres: PostgresServer.shared.get().address.description,
            schema: schema,
            model: ClinicStore.model(),
            transformers: clinic.registry,
            options: options
        )
    }

    private func run(_ sql: String) throws {
        let connection = try PostgresServer.connect()
        try connection.run(script: "SET search_path TO \"\(schema)\"; \(sql)")
    }

    @Test func additionsForQueriesAreAllowed() throws {
        defer { clinic.remove() }
        let store = try open()
        try run("CREATE INDEX mine ON \"Visit\" (\"day\"); CREATE VIEW mine_too AS SELECT * FROM \"Visit\"")
        #expect(try store.verify().faults.map(\.description) == [])
    }

    @Test(arguments: changes) func verifyingReportsAChange(change: Change) throws {
        defer { clinic.remove() }
        let store = try open()
        try run(change.sql)
        let faults = try store.verify().faults
        #expect(faults.map(\.code) == [.corruptFile])
        #expect(faults.first?.entity == change.entity)
        #expect(faults.first?.description.contains(change.name) == true)
    }

    // MARK: - What cannot be read

    /// Inserts a patient with an external value.
    private func insertPatient(in context: StoreContext) throws {
        let patient = try context.insert("Patient")
        try patient.setValue("Ada", for: "name")
        try patient.setValue(ClinicStore.large, for: "photo")
    }

    // After an error, PostgreSQL refuses everything else in a transaction.
    @Test func verifyingGoesOnAfterATableThatCannotBeRead() throws {
        defer { clinic.remove() }
        let store = try open()
        try store.write { context in
            for entity in ["Group", "Cat"] { _ = try context.insert(entity) }
            try insertPatient(in: context)
        }
        try run("ALTER TABLE \"Group\" DROP COLUMN \"name\"")
        let found = try store.verify()
        #expect(found.faults.map(\.code) == [.corruptFile])
        #expect(found.faults.map(\.entity) == ["Group"])
        #expect(found.objectCount == 2)
    }

    @Test func verifyingReportsEachExternalValueThatCannotBeRead() throws {
        defer { clinic.remove() }
        let store = try open()
        try store.write { context in
            for _ in 0..<2 { try insertPatient(in: context) }
        }
        try run("ALTER TABLE \"_transformable_chunk\" RENAME COLUMN \"bytes\" TO \"gone\"")
        let found = try store.verify()
        #expect(found.faults.map(\.code) == [.corruptFile, .corruptFile])
        #expect(found.faults.map(\.attribute) == ["photo", "photo"])
        #expect(Set(found.faults.map(\.object)).count == 2)
    }

    /// The server says nothing about the value.
    @Test func aValueThatIsLockedIsNoFault() throws {
        defer { clinic.remove() }
        let store = try open(Store.Options(busyTimeout: .milliseconds(20)))
        try store.write { try insertPatient(in: $0) }
        let other = try PostgresServer.connect()
        try other.transaction {
            try other.run(script: "LOCK TABLE \"\(schema)\".\"_transformable_chunk\"")
            #expect(throws: StoreError(.busy, "")) { try store.verify() }
        }
    }
}
