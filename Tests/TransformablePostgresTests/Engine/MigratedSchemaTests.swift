import Foundation
import Testing
import Transformable
import TransformablePostgres
import TransformableStore
import _PostgresServer

/// Compares the catalog of a migrated schema with that of one that was created with the same model.
@Suite(.needsPostgres) struct MigratedSchemaTests {
    private let name = UUID().uuidString

    private func open(_ schema: String, _ model: Model) throws -> Store {
        try Store(
            postgres: PostgresServer.boundAddress.get().description,
            schema: schema,
            model: model,
            transformers: TransformerRegistry {}
        )
    }

    private static let ward = EntityDescription(
        "Ward",
        attributes: [.string("name", .unique)],
        relationships: [.toMany("patients", "Patient", inverse: "ward")]
    )

    private static func first() throws -> Model {
        let patient = EntityDescription(
            "Client",
            attributes: [.string("name", .indexed), .int16("age", .optional), .boolean("isIn", .default(false))],
            relationships: [.toOne("home", "Place"), .toMany("friends", "Client")]
        )
        return try Model(version: 1, entities: [patient, EntityDescription("Place", attributes: [.decimal("size")])])
    }

    private static func second() throws -> Model {
        var patient = EntityDescription(
            "Patient",
            attributes: [
                .string("name"), .int64("age", .optional, .indexed), .uuid("key", .unique, .default(.newUUID)),
                .boolean("isIn", .default(false)), .date("born", .optional),
            ],
            relationships: [
                .toOne("ward", "Ward", inverse: "patients"), .toOne("home", "Place"), .toMany("friends", "Patient"),
            ]
        )
        patient.renamedFrom = "Client"
        patient.uniqueness = [["name", "born"]]
        let place = EntityDescription("Place", attributes: [.decimal("size")])
        return try Model(version: 2, entities: [patient, ward, place])
    }

    /// Columns, constraints, indexes, policies, and triggers, without the schema's name and the order of columns.
    private func catalog(_ schema: String) throws -> [String] {
        let own = "\"relnamespace\" = '\"\(schema)\"'::regnamespace AND \"relkind\" IN ('r', 'S', 'i')"
        let queries = [
            """
            SELECT "relname" || ' ' || "attname" || ' ' || format_type("atttypid", "atttypmod") || ' ' || "attnotnull"::text
            || ' ' || coalesce("collname"::text, '') || ' ' || "attidentity"::text
            FROM "pg_class" JOIN "pg_attribute" ON "attrelid" = "pg_class"."oid"
            LEFT JOIN "pg_collation" ON "pg_collation"."oid" = "attcollation"
            WHERE \(own) AND "attnum" > 0 AND NOT "attisdropped"
            """,
            """
            SELECT "conname" || ' ' || pg_get_constraintdef("pg_constraint"."oid") FROM "pg_constraint"
            JOIN "pg_class" ON "pg_class"."oid" = "conrelid" WHERE \(own)
            """,
            """
            SELECT pg_get_indexdef("pg_class"."oid") FROM "pg_class" WHERE \(own) AND "relkind" = 'i'
            """,
            """
            SELECT "relname" || ' ' || "relrowsecurity"::text || ' ' || "relforcerowsecurity"::text FROM "pg_class"
            WHERE \(own)
            """,
            """
            SELECT "relname" || ' ' || "polname" || ' ' || "polcmd"::text || ' ' || pg_get_expr("polqual", "polrelid")
            FROM "pg_policy" JOIN "pg_class" ON "pg_class"."oid" = "polrelid" WHERE \(own)
            """,
            """
            SELECT pg_get_triggerdef("pg_trigger"."oid") FROM "pg_trigger" JOIN "pg_class" ON "pg_class"."oid" = "tgrelid"
            WHERE \(own) AND NOT "tgisinternal"
            """,
            """
            SELECT "proname" || ' ' || "prosrc" FROM "pg_proc" WHERE "pronamespace" = '"\(schema)"'::regnamespace
            """,
            """
            SELECT "type" || ' ' || "name" || ' ' || "table" || ' ' || "sql" FROM "\(schema)"."_transformable_schema"
            """,
        ]
        let connection = try PostgresServer.connect()
        return
            try queries.flatMap { sql in
                try connection.rows(PostgresStatement("SELECT \"t\"::text FROM (\(sql)) AS \"q\"(\"t\")")) {
                    try $0.value(0, as: String.self)
                }
            }
            .map { $0.replacing(schema, with: "") }.sorted()
    }

    @Test func theTablesAreThoseOfANewStore() throws {
        try open(name, Self.first()).close()
        let migrated = try open(name, Self.second())
        try migrated.write { context in
            let ward = try context.insert("Ward")
            try ward.setValue("A", for: "name")
            let patient = try context.insert("Patient")
            try patient.setValue("Ada", for: "name")
            try patient.setObject(ward, for: "ward")
        }
        #expect(try migrated.verify().isSound)
        try migrated.close()
        let new = UUID().uuidString
        try open(new, Self.second()).close()
        // Constraints of dropped columns are gone as well, but the numbers of attributes go on.
        #expect(try catalog(name) == catalog(new))
    }

    @Test(arguments: [
        "CREATE VIEW @.report AS SELECT \"name\" FROM @.\"Client\"",
        "CREATE TABLE ~.report (\"client\" bigint REFERENCES @.\"Client\")",
    ])
    func whatOthersHaveAddedToATableIsNamed(addition: String) throws {
        try open(name, Self.first()).close()
        let script = "CREATE SCHEMA ~; \(addition)".replacing("~", with: "\"other-\(name)\"")
        try PostgresServer.connect().run(script: script.replacing("@", with: "\"\(name)\""))
        let error = try #require(throws: StoreError.self) { try open(name, Self.second()) }
        #expect(error.code == .unsupported)
        #expect(error.postgresError?.message?.contains("report") == true)
        try open(name, Self.first()).close()
    }

    private static func tenants(version: Int) throws -> Model {
        var patient = EntityDescription(
            version == 1 ? "Client" : "Patient",
            attributes: [
                .integer("badge", .unique), .data("scan", .optional, .externalStorage(over: 100)),
                .data("photo", .optional, .externalStorage(over: 100)),
            ],
            relationships: [.toOne("home", "Place"), .toMany("tags", "Tag")]
        )
        if version == 2 {
            patient.renamedFrom = "Client"
            patient.attributes[1].name = "image"
            patient.attributes[1].renamedFrom = "scan"
            patient.attributes.append(.string("note", .default("none"), .indexed))
        }
        let place = EntityDescription("Place", attributes: [.string("name")], shared: true)
        let tag = EntityDescription("Tag", attributes: [.string("name", .indexed)])
        return try Model(version: version, hasTenants: true, entities: [patient, place, tag])
    }

    @Test func tenantsAndExternalValuesAreProtectedAsInANewStore() throws {
        let old = try open(name, Self.tenants(version: 1))
        let place = try old.writeShared { context in
            let place = try context.insert("Place")
            try place.setValue("Odense", for: "name")
            return place.id
        }
        let scans = [1, 2].map { Data(repeating: $0, count: 400) }
        for tenant in [1, 2] {
            try old.write(tenant: Int64(tenant)) { context in
                let client = try context.insert("Client")
                try client.setValue(7, for: "badge")
                try client.setValue(scans[tenant - 1], for: "scan")
                try client.setObject(context.object(place), for: "home")
                let tag = try context.insert("Tag")
                try tag.setValue("urgent", for: "name")
                try client.add(tag, to: "tags")
            }
        }
        try old.close()
        let migrated = try open(name, Self.tenants(version: 2))
        for tenant in [1, 2] {
            try migrated.write(tenant: Int64(tenant)) { context in
                let patient = try #require(try context.first("Patient", where: Field("note") == "none"))
                #expect(try patient.value("image", as: Data.self) == scans[tenant - 1])
                #expect(try patient.objects("tags").count == 1)
                if tenant == 1 { try patient.setValue(nil as Data?, for: "image") }
            }
        }
        // A trigger has deleted the value that was replaced.
        let pieces = PostgresStatement("SELECT FROM \"\(name)\".\"_transformable_chunk\"")
        #expect(try PostgresServer.connect().execute(pieces) == 1)
        #expect(try migrated.verify().isSound)
        try migrated.close()
        let new = UUID().uuidString
        try open(new, Self.tenants(version: 2)).close()
        #expect(try catalog(name) == catalog(new))
    }

    private static func photo(version: Int) throws -> Model {
        let photo: AttributeDescription =
            version == 1 ? .data("photo", .optional) : .data("photo", .optional, .externalStorage(over: 100))
        return try Model(version: version, entities: [EntityDescription("Patient", attributes: [photo])])
    }

    /// No column changes when an attribute becomes external, but only a trigger deletes its values.
    @Test func valuesOfAnAttributeThatBecomesExternalAreDeleted() throws {
        try open(name, Self.photo(version: 1)).close()
        let migrated = try open(name, Self.photo(version: 2))
        let patient = try migrated.write { context in
            let patient = try context.insert("Patient")
            try patient.setValue(Data(count: 400), for: "photo")
            return patient.id
        }
        try migrated.write { context in try context.delete(context.object(patient)) }
        let pieces = PostgresStatement("SELECT FROM \"\(name)\".\"_transformable_chunk\"")
        #expect(try PostgresServer.connect().execute(pieces) == 0)
        #expect(try migrated.verify().isSound)
        try migrated.close()
        let new = UUID().uuidString
        try open(new, Self.photo(version: 2)).close()
        #expect(try catalog(name) == catalog(new))
    }

    @Test func policiesRemainLimitedToTheirRoles() throws {
        try open(name, Self.tenants(version: 1)).close()
        let role = "auditor-\(UUID().uuidString)"
        let connection = try PostgresServer.connect()
        let table = "\"\(name)\".\"Client\""
        try connection.run(
            script: """
                CREATE ROLE "\(role)"; ALTER POLICY "_all_tenants" ON \(table) TO "\(role)";
                CREATE POLICY "even" ON \(table) AS RESTRICTIVE FOR UPDATE TO PUBLIC USING ("badge" % 2 = 0)
                """
        )
        defer { try? connection.run(script: "DROP OWNED BY \"\(role)\"; DROP ROLE \"\(role)\"") }
        try open(name, Self.tenants(version: 2)).close()
        let sql = """
            SELECT concat_ws(' ', "policyname", "permissive", "cmd", array_to_string("roles", ','), "qual")
            FROM "pg_policies" WHERE "schemaname" = '\(name)' AND "tablename" = 'Patient' ORDER BY "policyname"
            """
        let found = try connection.rows(PostgresStatement(sql)) { try $0.value(0, as: String.self) }
        #expect(found.first?.hasPrefix("_all_tenants PERMISSIVE SELECT \(role) ") == true)
        #expect(found.dropFirst().first?.hasPrefix("_tenant PERMISSIVE ALL public ") == true)
        #expect(found.last == "even RESTRICTIVE UPDATE public ((badge % (2)::bigint) = 0)")
    }

    /// The entity that is dropped last was there first.
    ///
    /// SQLite declares the columns in the same way, except for the first pair.
    @Test(
        arguments: [
            (.int64("amount"), .decimal("amount"), "1.5"), (.boolean("amount"), .int64("amount"), "7"),
            (.decimal("amount"), .string("amount"), "abc"),
        ] as [(AttributeDescription, AttributeDescription, String)]
    )
    func valuesOfEntitiesThatWereDroppedUnderTheSameNameKeepTheirTypes(
        first: AttributeDescription,
        amount: AttributeDescription,
        text: String
    ) throws {
        let other = EntityDescription("Other")
        let price = EntityDescription("Price", attributes: [amount])
        var total = EntityDescription("Total", attributes: [amount])
        total.renamedFrom = "Price"
        let before = [price, EntityDescription("Total", attributes: [first]), other]
        let store = try open(name, Model(entities: before))
        try store.write { context in
            let object = try context.insert("Price")
            switch amount.type {
            case .decimal: try object.setValue(try #require(Decimal(string: text)), for: "amount")
            case .int64: try object.setValue(try #require(Int64(text)), for: "amount")
            default: try object.setValue(text, for: "amount")
            }
        }
        try store.close()
        for (version, entities) in [(2, [price, other]), (3, [total, other]), (4, [other])] {
            try open(name, Model(version: version, entities: entities)).close()
        }
        let sql = "SELECT \"amount\"::text FROM \"\(name)\".\"_dropped.Total.3\""
        let found = try PostgresServer.connect().rows(PostgresStatement(sql)) { try $0.value(0, as: String.self) }
        #expect(found == [text])
    }

    @Test func pairsThatAreSetAsideKeepAPolicyThatNamesTheTenant() throws {
        try open(name, Self.tenants(version: 1)).close()
        let connection = try PostgresServer.connect()
        let table = "\"\(name)\".\"_pairs.Client.tags\""
        try connection.run(script: "CREATE POLICY \"few\" ON \(table) AS RESTRICTIVE USING (\"_tenant\" < 100)")
        var entities = try Self.tenants(version: 1).entities
        entities[0].relationships.removeLast()
        try open(name, Model(version: 2, hasTenants: true, entities: entities)).close()
        let sql = """
            SELECT "qual" FROM "pg_policies" WHERE "schemaname" = '\(name)'
            AND "tablename" = '_dropped._pairs.Client.tags.1' AND "policyname" = 'few'
            """
        let found = try connection.rows(PostgresStatement(sql)) { try $0.value(0, as: String.self) }
        #expect(found == ["(_tenant < 100)"])
    }

    @Test func rowsThatAPolicyHidesAreNotLeftBehind() throws {
        let store = try open(name, Self.first())
        try store.write { context in
            for age in 1...3 as ClosedRange<Int16> {
                let client = try context.insert("Client")
                try client.setValue("Ada", for: "name")
                try client.setValue(age, for: "age")
            }
        }
        try store.close()
        let table = "\"\(name)\".\"Client\""
        try PostgresServer.connect()
            .run(
                script: """
                    ALTER TABLE \(table) ENABLE ROW LEVEL SECURITY; ALTER TABLE \(table) FORCE ROW LEVEL SECURITY;
                    CREATE POLICY "young" ON \(table) USING ("age" < 3)
                    """
            )
        #expect(throws: StoreError(.accessDenied, "")) { try open(name, Self.third()) }
        #expect(try open(name, Self.first()).read { try $0.count("Client") } == 2)
    }

    @Test func notifiesAnotherProgram() throws {
        let old = try open(name, Self.first())
        #expect(try old.read { try $0.count("Client") } == 0)
        let new = try open(name, Self.second())
        #expect(throws: StoreError(.storeChanged, "")) { try old.read { try $0.count("Client") } }
        #expect(throws: StoreError(.storeChanged, "")) { try old.write { _ = try $0.insert("Client") } }
        try new.write { try $0.insert("Patient").setValue("Ada", for: "name") }
        #expect(throws: StoreError(.newerModel, "")) { try open(name, Self.first()) }
    }

    @Test func rolesKeepTheirPrivileges() throws {
        try open(name, Self.first()).close()
        let (role, former) = ("reader_\(UUID().uuidString)", "former_\(UUID().uuidString)")
        let connection = try PostgresServer.connect()
        try connection.run(
            script: """
                CREATE ROLE "\(role)"; GRANT SELECT ON "\(name)"."Client" TO "\(role)" WITH GRANT OPTION;
                GRANT INSERT ON "\(name)"."Client" TO PUBLIC;
                GRANT USAGE ON SEQUENCE "\(name)"."Client__id_seq" TO "\(role)";
                CREATE ROLE "\(former)";
                ALTER DEFAULT PRIVILEGES FOR ROLE bound IN SCHEMA "\(name)" GRANT ALL ON TABLES TO "\(former)", "\(role)";
                ALTER DEFAULT PRIVILEGES FOR ROLE bound IN SCHEMA "\(name)" GRANT ALL ON SEQUENCES TO "\(former)"
                """
        )
        defer {
            for role in [role, former] {
                try? connection.run(script: "DROP OWNED BY \"\(role)\"; DROP ROLE \"\(role)\"")
            }
        }
        try open(name, Self.second()).close()
        let sql = """
            SELECT (has_table_privilege($1, $2, 'SELECT WITH GRANT OPTION') AND has_table_privilege($1, $2, 'INSERT')
            AND NOT has_table_privilege($1, $2, 'UPDATE') AND has_sequence_privilege($1, $3, 'USAGE')
            AND NOT has_table_privilege($4, $2, 'SELECT, UPDATE, DELETE')
            AND NOT has_sequence_privilege($4, $3, 'USAGE, SELECT, UPDATE'))::text
            """
        let places = ["\"\(name)\".\"Patient\"", "\"\(name)\".\"Patient__id_seq\""]
        let names = ([role] + places + [former]).map(PostgresValue.text)
        let found = try connection.rows(PostgresStatement(sql, .text, .text, .text, .text), names) {
            try $0.value(0, as: String.self)
        }
        #expect(found == ["true"])
    }

    @Test func migrationsAtTheSameTimeTakeTurns() async throws {
        let first = try open(name, Self.first())
        try await first.write { context in
            for _ in 0..<50 { try context.insert("Client").setValue("Ada", for: "name") }
        }
        let name = name
        let counts = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<3 {
                group.addTask {
                    let store = try Self().open(name, Self.third())
                    return try store.read { try $0.count("Client") }
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(counts == [50, 50, 50])
    }

    private static func third() throws -> Model {
        let client = EntityDescription("Client", attributes: [.string("name"), .string("note", .default("none"))])
        return try Model(version: 2, entities: [client])
    }
}
