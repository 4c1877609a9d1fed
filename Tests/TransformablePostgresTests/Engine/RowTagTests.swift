import EncryptionPlugin
import Foundation
import Testing
import Transformable
import TransformableModel
import TransformableSQLite
import TransformableStore
import _PostgresServer

@testable import TransformablePostgres  // The engine is internal.

/// The tags of rows in PostgreSQL, which the program computes.
@Suite(.needsPostgres) struct RowTagTests {
    private let clinic: ClinicStore
    private let schema = "tags-\(UUID().uuidString.prefix(8))"

    init() throws { clinic = try ClinicStore() }

    private func open(_ options: Store.Options = .mustExist) throws -> Store {
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

    @Test func tagsRemainValidInBothDirections() throws {
        defer { clinic.remove() }
        try clinic.fill()
        let address = try PostgresServer.shared.get().address
        let file = try Store(at: clinic.url, transformers: clinic.registry, options: .readOnly)
        _ = try file.copy(to: address, schema: schema)
        try file.close()
        let store = try open()
        #expect(try store.verify().faults.map(\.description) == [])
        try store.write { context in
            for patient in try context.fetch("Patient") {
                try patient.setValue(-0.0, for: "height")
                try patient.setValue(Decimal(string: "12.50"), for: "fee")
                try patient.setValue(ClinicStore.large, for: "photo")
            }
            _ = try context.insert(many: 0..<10, into: "Patient") { patient, number in
                try patient.setValue("Patient \(number)", for: "name")
                try patient.setValue("078-05-112\(number)", for: "ssn")
                try patient.setValue(UUID(), for: "card")
            }
        }
        #expect(try store.verify().faults.map(\.description) == [])
        try store.close()
        let copy = clinic.file()
        _ = try Store.copy(from: address, schema: schema, to: copy, transformers: clinic.registry)
        let back = try clinic.open(copy)
        #expect(try back.verify().faults.map(\.description) == [])
        #expect(try back.read { try $0.fetch("Patient").count } == 13)
    }

    @Test func tagsAreSentWithTheRowsOfABulkInsertion() throws {
        defer { clinic.remove() }
        let store = try open(.create)
        try store.insert(many: 0..<700, into: "Visit") { visit, number in
            try visit.setValue(Date(timeIntervalSinceReferenceDate: Double(number)), for: "day")
        }
        #expect(try store.verify().faults.map(\.description) == [])
        #expect(try store.read { try $0.fetch("Visit").count } == 700)
    }

    /// From 2,000 objects on, a save sends their rows with COPY.
    @Test func tagsAreSentWithCopiedRows() throws {
        defer { clinic.remove() }
        let store = try open(.create)
        try store.write { context in
            for number in 0..<2100 {
                let visit = try context.insert("Visit")
                try visit.setValue(Date(timeIntervalSinceReferenceDate: Double(number)), for: "day")
                let patient = try context.insert("Patient")
                try patient.setValue("Patient \(number)", for: "name")
                try visit.setObject(patient, for: "patient")
            }
        }
        #expect(try store.verify().faults.map(\.description) == [])
        #expect(try store.read { try $0.fetch("Patient").count } == 2100)
    }

    @Test(arguments: ["BEFORE", "AFTER"])
    func aPlantedTriggerGetsNoTag(time: String) throws {
        defer { clinic.remove() }
        let store = try open(.create)
        try store.write { try $0.insert("Patient").setValue("Ada", for: "name") }
        let change =
            time == "BEFORE" ? "NEW.\"ssn_index\" := 7" : "UPDATE \"Patient\" SET \"ssn_index\" = 7 WHERE \"_id\" = 1"
        let condition = time == "BEFORE" ? "" : "WHEN (NEW.\"ssn_index\" IS DISTINCT FROM 7)"
        try run(
            """
            CREATE FUNCTION spy() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN \(change); RETURN NEW; END $$;
            CREATE TRIGGER spy \(time) UPDATE ON "Patient" FOR EACH ROW \(condition) EXECUTE FUNCTION spy()
            """
        )
        try store.write { try $0.first("Patient")?.setValue("Eve", for: "name") }
        let error = #expect(throws: StoreError.self) { try store.read { _ = try $0.fetch("Patient") } }
        #expect(error?.code == .unauthenticatedRow)
        #expect(try store.verify().faults.map(\.code) == [.corruptFile, .unauthenticatedRow])
    }

    /// A function of an administrator that sends a genuine row of another entity.
    @Test func theRowOfAnotherEntityIsNotAccepted() throws {
        defer { clinic.remove() }
        let entities = ["Patient", "Doctor"]
            .map { EntityDescription($0, attributes: [.string("name")], authenticatesRows: true) }
        let store = try Store(
            postgres: PostgresServer.shared.get().address.description,
            schema: schema,
            model: Model(entities: entities),
            transformers: clinic.registry
        )
        let id = try store.write { context in
            try context.insert("Doctor").setValue("Eve", for: "name")
            let patient = try context.insert("Patient")
            try patient.setValue("Ada", for: "name")
            return patient.id
        }
        let doctor = "(SELECT \"id\" FROM \"_transformable_entity\" WHERE \"name\" = 'Doctor')"
        try run(
            """
            UPDATE "Patient" SET "name" = 'Eve';
            CREATE FUNCTION record_send(record) RETURNS bytea LANGUAGE plpgsql AS $$ BEGIN RETURN
                (SELECT pg_catalog.record_send(ROW(\(doctor), "_mac", "_id", "_version", "name")) FROM "Doctor"); END $$
            """
        )
        for read in [{ _ = try $0.fetch("Patient") }, { _ = try $0.object(id) }] as [(StoreContext) throws -> Void] {
            let error = #expect(throws: StoreError.self) { try store.read(read) }
            #expect(error?.code == .unauthenticatedRow)
        }
    }

    /// A server that sends a genuine row for its tag, and other cells besides.
    @Test func tagsAreComparedWithTheCellsThatAreUsed() throws {
        defer { clinic.remove() }
        let store = try open(.create)
        try store.write { context in
            for name in ["Ada", "Bob"] { try context.insert("Patient").setValue(name, for: "name") }
        }
        try store.read { context in
            let number = try context.rows("SELECT \"id\" FROM \"_transformable_entity\" WHERE \"name\" = 'Patient'")
            guard case .integer(let entity)? = try number.first?.column("id") else { throw StoreError(.misuse, "") }
            let columns =
                try context.rows(
                    """
                    SELECT a."column" AS "column", a."id" AS "number", '' AS "name" FROM "_transformable_attribute" AS a
                    WHERE a."entity" = \(entity) AND a."state" = 'live'
                    UNION ALL SELECT p."column", a."id", p."name" FROM "_transformable_projection" AS p
                    JOIN "_transformable_attribute" AS a ON a."id" = p."attribute"
                    WHERE a."entity" = \(entity) AND p."state" = 'live' ORDER BY 2, 3
                    """
                )
                .map { row in
                    guard case .text(let name) = try row.column("column") else { throw StoreError(.misuse, "") }
                    return "\"\(name)\""
                }
            let cells = (["\"_mac\"", "\"_id\"", "\"_version\""] + columns).joined(separator: ", ")
            let row = "ARRAY[pg_catalog.record_send(ROW(\(entity), \(cells)))]"
            #expect(try context.rows("SELECT \"name\", \(row) FROM \"Patient\"").count == 2)
            let error = #expect(throws: StoreError.self) {
                try context.rows("SELECT 'Eve' AS \"name\", \(row) FROM \"Patient\"")
            }
            #expect(error?.code == .unauthenticatedRow)
            #expect(error?.object?.number == 1)
            // Cells are not compared with the row of a related object, which has a column of its own.
            let related = "ARRAY[pg_catalog.record_send(ROW(\(-RowSeal.relatedOffset - entity), \(cells)))]"
            let eve = "SELECT 'Eve' AS \"name\", \(related)"
            #expect(try context.rows("\(eve) AS \"_related0\" FROM \"Patient\"").count == 2)
            #expect(throws: StoreError(.unauthenticatedRow, "")) { try context.rows("\(eve) FROM \"Patient\"") }
            for forged in ["ROW()", "ROW(\(entity))", "ROW(9, 1)", "ROW(\(entity), \"_mac\")"] {
                let error = #expect(throws: StoreError.self, "\(forged)") {
                    try context.rows("SELECT \"name\", ARRAY[pg_catalog.record_send(\(forged))] FROM \"Patient\"")
                }
                #expect(error?.code == .unauthenticatedRow, "\(forged)")
            }
        }
    }

    /// The server refuses the first change, as it does when transactions are in each other's way.
    @Test func rowsAreAuthenticatedAgainInSpiteOfAConflict() throws {
        defer { clinic.remove() }
        let ring = try KeyRing.empty.addingKey()
        let note = EntityDescription("Note", attributes: [.string("text")], authenticatesRows: true)
        let open = { (ring: KeyRing) in
            try Store(
                postgres: PostgresServer.shared.get().address.description,
                schema: schema,
                model: Model(entities: [note]),
                transformers: TransformerRegistry { EncryptionPlugin(keys: ring) }
            )
        }
        let old = try open(ring)
        try old.write { try $0.insert("Note").setValue("a", for: "text") }
        try old.close()
        let new = try open(ring.rotatingKey())
        try run(
            """
            CREATE SEQUENCE "attempts";
            CREATE FUNCTION "interfere"() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
            IF nextval('"\(schema)"."attempts"') = 1 THEN RAISE EXCEPTION USING ERRCODE = '40001'; END IF;
            RETURN NEW; END $$;
            CREATE TRIGGER "interfere" BEFORE UPDATE ON "Note" FOR EACH ROW EXECUTE FUNCTION "interfere"()
            """
        )
        #expect(try new.reauthenticateRows() == 1)
        try run("DROP TRIGGER \"interfere\" ON \"Note\"")
        #expect(try new.verify().isSound)
    }

    @Test func writingRequiresAKey() throws {
        defer { clinic.remove() }
        try open(.create).close()
        let registry = try TransformerRegistry {}
        let error = #expect(throws: StoreError.self) {
            try Store(
                postgres: PostgresServer.shared.get().address.description,
                schema: schema,
                transformers: registry,
                options: Store.Options(unresolved: .keepBytes)
            )
        }
        #expect(error?.code == .unauthenticatedRow)
    }

    /// Some tables of the statement have no tags.
    @Test func tagsAreCheckedInSomeEntitiesOfAFamily() throws {
        defer { clinic.remove() }
        let address = try PostgresServer.shared.get().address.description
        let schema = "tags-\(UUID().uuidString.prefix(8))"
        let model = try Model(entities: [
            EntityDescription("Person", attributes: [.string("name")]),
            EntityDescription("Doctor", parent: "Person", authenticatesRows: true),
        ])
        let store = try Store(postgres: address, schema: schema, model: model, transformers: clinic.registry)
        try store.write { context in
            for entity in ["Person", "Doctor"] { try context.insert(entity).setValue(entity, for: "name") }
        }
        let names = {
            try store.read { try $0.values("Person", of: ["name"]).map { try $0.value("name", as: String.self) } }
        }
        #expect(try names() == ["Person", "Doctor"])
        #expect(try store.read { try $0.fetch("Person").count } == 2)
        try PostgresServer.connect().run(script: "UPDATE \"\(schema)\".\"Person\" SET \"name\" = 'Ada'")
        #expect(try names() == ["Ada", "Doctor"])
        try PostgresServer.connect().run(script: "UPDATE \"\(schema)\".\"Doctor\" SET \"name\" = 'Bob'")
        let error = #expect(throws: StoreError.self) { _ = try names() }
        #expect(error?.object == ObjectID(entity: "Doctor", number: 1))
    }

    @Test func tagsAreCheckedInStoresWithTenants() throws {
        defer { clinic.remove() }
        let address = try PostgresServer.boundAddress.get()
        try TenantTags(clinic.registry, at: address).run()
    }

    @Test func tagsCoverTheTenant() throws {
        defer { clinic.remove() }
        let address = try PostgresServer.boundAddress.get()
        try TenantTags(clinic.registry, at: address).exchangeRows()
    }

    /// A save reads the rows of changed objects with one statement for each 256 of them.
    @Test func aSaveOfManyChangesTakesFewRoundTrips() throws {
        defer { clinic.remove() }
        let address = try PostgresServer.shared.get().address
        let schema = "tags-\(UUID().uuidString.prefix(8))"
        let note = EntityDescription("Note", attributes: [.string("text")], authenticatesRows: true)
        let model = try Model(entities: [note])
        try Store(postgres: address.description, schema: schema, model: model, transformers: clinic.registry).close()
        let keys = try #require(RowAuthenticator(clinic.registry))
        let options = PostgresOptions()
        let engine = PostgresEngine(
            address,
            schema: schema,
            options: options,
            lockTimeout: .seconds(20),
            rowAuthenticator: keys
        )
        var opening = Store.Options.mustExist
        opening.rowSealing = keys
        let store = try Store(engine: engine, model: model, transformers: clinic.registry, options: opening, hooks: [:])
        try store.write { context in
            for number in 0..<200 { try context.insert("Note").setValue("Note \(number)", for: "text") }
        }
        try store.write { context in
            for note in try context.fetch("Note") { try note.setValue("New", for: "text") }
        }
        let count = try EngineStore.roundTrips(engine) {
            try store.write { context in
                for note in try context.fetch("Note") { try note.setValue("Newer", for: "text") }
            }
        }
        // Those of the fetch, the rows, the changes, and the commit, and descriptions of statements, which are made once.
        #expect(count <= 6)
        #expect(try store.verify().isSound)
    }
}
