import EncryptionPlugin
import Foundation
import Testing
import Transformable
import TransformableModel
import TransformableSQLite
import TransformableStore

@testable import TransformablePostgres  // A statement is explained as the engine sends it.

/// Stores that Citus distributes by tenant, on the cluster that `make test-citus` starts.
@Suite(.needsCitus) struct CitusTests {
    private let clinic: TenantClinic
    private let address: PostgresAddress
    private static let names = ["Ward", "Patient", "Tag", "_pairs.Patient.tags"] + pieces
    private static let pieces = ["_transformable_blob", "_transformable_chunk"]

    init() throws {
        address = try PostgresAddress(#require(CitusCluster.address))
        clinic = try TenantClinic(at: address, connections: CitusCluster.options)
    }

    private func texts(_ sql: String) throws -> [String] {
        let connection = try PostgresConnection(address)
        return try connection.rows(PostgresStatement(clinic.named(sql))) { try $0.value(0, as: String.self) }
    }

    // MARK: - Tables

    @Test func tablesOfTenantsAreTogetherAndSharedOnesAreEverywhere() throws {
        let sql = """
            SELECT "c"."relname"::text || ' ' || "p"."partmethod"::text || ' ' || dense_rank() OVER (ORDER BY "colocationid")
            FROM pg_dist_partition AS "p" JOIN pg_class AS "c" ON "c"."oid" = "p"."logicalrelid"
            JOIN pg_namespace AS "n" ON "n"."oid" = "c"."relnamespace" WHERE "n"."nspname" = '\(clinic.schema)'
            """
        let groups = try texts(sql)
        let owned = Set(groups.filter { $0.contains(" h ") }.map { $0.split(separator: " ").last })
        #expect(owned.count == 1)
        #expect(groups.filter { $0.contains(" h ") }.count == Self.names.count)
        #expect(groups.filter { $0.contains(" n ") }.map { $0.prefix(7) } == ["Country"])
    }

    @Test func workersEnforceSecurity() throws {
        for name in Self.names {
            let sql = """
                SELECT "result" FROM run_command_on_shards('@."\(name)"', 'SELECT count(*) FROM %s') WHERE "result" <> '0'
                """
            #expect(try texts(sql) == [])
        }
        let connection = try PostgresConnection(address)
        #expect(try clinic.count("SELECT FROM @.\"Ward\"", tenant: nil, on: connection) == 0)
        let count = try connection.transaction(.readCommitted) {
            try connection.run(script: "SET LOCAL citus.propagate_set_commands TO 'local'")
            try connection.run(script: "SET LOCAL transformable.tenant TO '1'")
            return try connection.execute(PostgresStatement(clinic.named("SELECT FROM @.\"Ward\"")))
        }
        #expect(count == 1)
    }

    @Test func tagsAreChecked() throws {
        let ring = try KeyRing.empty.addingKey()
        let registry = try TransformerRegistry { EncryptionPlugin(keys: ring) }
        try TenantTags(registry, at: address, connections: CitusCluster.options).run()
        try TenantTags(registry, at: address, connections: CitusCluster.options).exchangeRows()
    }

    @Test func objectsAreThoseOfTheirTenant() throws {
        for tenant in [1, 2] as [Int64] {
            try clinic.store.read(tenant: tenant) { context in
                let ward = try #require(try context.first("Ward", where: Field("patients").any(Field("badge") == 1)))
                #expect(ward.id.number == clinic.wards[Int(tenant) - 1])
                #expect(try context.first("Patient")?.object("country")?.value("code", as: String.self) == "DK")
            }
        }
        #expect(try clinic.store.read(tenant: 3) { try $0.count("Ward") } == 0)
        #expect(try clinic.store.readAcrossTenants { try $0.count("Patient") } == 2)
        #expect(try clinic.store.verify().isSound)
    }

    @Test func storeIsRecognizedWhenItIsOpened() throws {
        let store = try TenantClinic.open(address, clinic.schema)
        #expect(try store.read(tenant: 1) { try $0.count("Patient") } == 1)
        _ = try store.write(tenant: 1) { try $0.delete("Patient", where: .all) }
        #expect(try store.read(tenant: 1) { try $0.count("Patient") } == 0)
    }

    // MARK: - Constraints

    @Test func referencesAreEnforced() throws {
        let error = #expect(throws: StoreError.self) {
            try clinic.store.write(tenant: 1) { context in
                let patient = try #require(try context.first("Patient"))
                let ward = try context.fault(ObjectID(entity: "Ward", number: clinic.wards[1]))
                try patient.setObject(ward, for: "ward")
            }
        }
        #expect([.danglingReference, .noSuchObject].contains(error?.code))
        let connection = try PostgresConnection(address)
        #expect(throws: StoreError(.danglingReference, "")) {
            try connection.transaction(.readCommitted) {
                try connection.run(script: "SET LOCAL citus.propagate_set_commands TO 'local'")
                try connection.run(script: "SET LOCAL transformable.tenant TO '1'")
                let sql = "UPDATE @.\"Patient\" SET \"ward\" = \(clinic.wards[1]) WHERE \"_tenant\" = 1"
                try connection.execute(PostgresStatement(clinic.named(sql)))
            }
        }
    }

    // The store looks for tenants' objects that refer to an object before it deletes the object.
    @Test func sharedObjectsAreDeletedUnlessTenantsReferToThem() throws {
        try clinic.store.writeShared { try $0.insert("Country").setValue("SE", for: "code") }
        let count = try clinic.store.writeShared { try $0.delete("Country", where: Field("code") == "SE") }
        #expect(count == 1)
        let error = #expect(throws: StoreError(.danglingReference, "")) {
            try clinic.store.writeShared { try $0.delete("Country", where: Field("code") == "DK") }
        }
        #expect(error?.entity == "Patient")
        #expect(error?.attribute == "country")
        #expect(try clinic.store.readAcrossTenants { try $0.count("Country") } == 1)
    }

    @Test func uniquenessHoldsWithinATenant() throws {
        let error = #expect(throws: StoreError(.notUnique, "")) {
            try clinic.store.write(tenant: 1) { try $0.insert("Ward").setValue("East", for: "name") }
        }
        #expect(error?.entity == "Ward")
        #expect(error?.attribute == "name")
    }

    @Test func valueThatIsTooLongForAnIndexIsRefused() throws {
        // Random, because the server compresses values.
        let name = String((0..<9000).map { _ in Character(Unicode.Scalar(UInt8.random(in: 97...122))) })
        let error = #expect(throws: StoreError(.limitExceeded, "")) {
            try clinic.store.write(tenant: 1) { try $0.insert("Tag").setValue(name, for: "name") }
        }
        #expect(error?.message.contains("index a shorter projection of it instead") == true)
    }

    // Each of the values takes 18 bytes of 8,160, because the server cannot compress it, and stores it elsewhere.
    @Test func rowWithTooManyLongValuesIsRefused() throws {
        let names = (0..<480).map { "text\($0)" }
        let attributes = names.map { AttributeDescription.string($0, .optional) }
        let model = try Model(hasTenants: true, entities: [EntityDescription("Wide", attributes: attributes)])
        let schema = "\(clinic.schema)-wide"
        let store = try TenantClinic.open(address, schema, model: model, connections: CitusCluster.options)
        defer { try? store.close() }
        let error = #expect(throws: StoreError(.limitExceeded, "")) {
            try store.write(tenant: 1) { context in
                let object = try context.insert("Wide")
                for name in names { try object.setValue("\(UUID()) \(UUID()) \(UUID())", for: name) }
            }
        }
        #expect(error?.message.contains("move some of the attributes to a related entity") == true)
    }

    @Test func aLostWorkerLeavesTheOutcomeUnknown() throws {
        let (connection, other) = (try PostgresConnection(address), try PostgresConnection(address))
        #expect(throws: StoreError(.outcomeUnknown, "")) {
            try connection.transaction(.readCommitted) {
                try connection.run(script: "SET LOCAL citus.propagate_set_commands TO 'local'")
                try connection.run(script: "SET LOCAL transformable.tenant TO '1'")
                let insertion = clinic.named("INSERT INTO @.\"Tag\" VALUES (900, 1, 'late', 1)")
                try connection.execute(PostgresStatement(insertion))
                let end = """
                    SELECT bool_or(pg_terminate_backend(pid))::text FROM pg_stat_activity
                    WHERE usename = current_user AND pid <> pg_backend_pid()
                    """
                let sql = "SELECT \"result\" FROM run_command_on_workers($command$ \(end) $command$)"
                _ = try other.rows(PostgresStatement(sql)) { try $0.value(0, as: String.self) }
            }
        }
        #expect(try clinic.count("SELECT FROM @.\"Tag\"", tenant: 1, on: other) == 1)
    }

    // Citus tells its workers only about some settings of a transaction.
    @Test func waitsForRowsOnWorkersAreLimited() throws {
        let options = Store.Options(busyTimeout: .milliseconds(50))
        let store = try TenantClinic.open(address, clinic.schema, options: options)
        defer { try? store.close() }
        let other = try PostgresConnection(address)
        try other.transaction(.readCommitted) {
            try other.run(script: "SET LOCAL citus.propagate_set_commands TO 'local'")
            try other.run(script: "SET LOCAL transformable.tenant TO '1'")
            let sql = "UPDATE @.\"Ward\" SET \"name\" = 'West' WHERE \"_tenant\" = 1"
            try other.execute(PostgresStatement(clinic.named(sql)))
            #expect(throws: StoreError(.busy, "")) {
                try store.write(tenant: 1) { try $0.first("Ward")?.setValue("South", for: "name") }
            }
        }
    }

    @Test func copyOfAFileIsDistributed() throws {
        let folder = try ClinicStore()
        defer { folder.remove() }
        let model = try TenantClinic.model(hasFlags: false)
        let file = try Store(at: folder.url, model: model, transformers: folder.registry)
        try TenantClinic.fill(file, hasFlags: false)
        let schema = "\(clinic.schema)-copy"
        let report = try file.copy(to: address, schema: schema, options: CitusCluster.options)
        #expect((report.objectCount, report.blobCount) == (7, 2))
        let store = try TenantClinic.open(address, schema, connections: CitusCluster.options)
        let scan = try store.read(tenant: 2) { try $0.first("Patient")?.value("scan", as: Data.self) }
        #expect(scan == TenantClinic.scan(2))
        #expect(try store.verify().isSound)
        try store.close()
        let back = folder.file()
        try Store.copy(from: address, schema: schema, to: back, transformers: folder.registry)
        #expect(try ClinicStore.dump(back) == ClinicStore.dump(folder.url))
    }

    @Test func numbersAreUniqueAmongTenants() throws {
        let numbers = try [1, 2, 1]
            .map { tenant in
                try clinic.store.write(tenant: tenant) { context in
                    try (0..<10)
                        .map { index in
                            let tag = try context.insert("Tag")
                            try tag.setValue("\(index)", for: "name")
                            return tag.id.number
                        }
                }
            }
        #expect(Set(numbers.joined()).count == 30)
    }

    // MARK: - Distribution

    @Test func fetchOfATenantTouchesOneShard() throws {
        let tables = [
            TenantTable(name: TableName("Ward"), columns: ["_id", "name"]),
            TenantTable(name: TableName("Patient"), columns: ["_id", "badge", "ward"]),
        ]
        let sql = """
            SELECT "_id", "badge" FROM "Patient" WHERE "badge" > ? AND EXISTS
            (SELECT 1 FROM "Ward" AS "w" WHERE "w"."_id" = "Patient"."ward" AND "w"."name" = 'East') ORDER BY "_id"
            """
        let limited = TenantSQL(tables: tables, schema: clinic.schema).limited(sql)
        let connection = try PostgresConnection(address)
        let statement = PostgresStatement("EXPLAIN \(limited.sql)", .int8, .int8)
        let plan = try connection.rows(statement, [.int8(1), .int8(0)]) { try $0.value(0, as: String.self) }
        #expect(plan.contains { $0.hasSuffix("Task Count: 1") })
        let whole = PostgresStatement("EXPLAIN SELECT * FROM \(clinic.named("@")).\"Patient\"")
        let all = try connection.rows(whole) { try $0.value(0, as: String.self) }
        #expect(all.contains { $0.contains("Task Count: ") } && !all.contains { $0.hasSuffix("Task Count: 1") })
    }

    /// Counts the statements that Citus has sent to more than one part of a table.
    private func statementsOnSeveralShards() throws -> Int64 {
        let sql = """
            SELECT "query_execution_multi_shard"::text FROM citus_stat_counters WHERE "name" = current_database()
            """
        return try #require(texts(sql).first.flatMap { Int64($0) })
    }

    @Test(.enabled(if: CitusCluster.countsStatements, "the cluster does not count statements"))
    func workOfATenantTouchesOneShard() throws {
        let before = try statementsOnSeveralShards()
        try clinic.store.write(tenant: 1) { context in
            try context.insert(many: 0..<50, into: "Tag") { try $0.setValue("tag \($1)", for: "name") }
            let patient = try #require(try context.first("Patient", where: Field("ward.name") == "East"))
            #expect(try patient.value("scan", as: Data.self) == TenantClinic.scan(1))
            try patient.setValue(Data(count: 300_000), for: "scan")
            try patient.add(#require(try context.first("Tag", where: Field("name") == "tag 7")), to: "tags")
            #expect(try patient.object("ward")?.objects("patients").count == 1)
            #expect(try context.delete("Tag", where: Field("name") == "tag 9") == 1)
        }
        try clinic.store.read(tenant: 1) { context in
            #expect(try context.count("Tag") == 50)
            #expect(try context.count("Patient", where: Field("tags").any(Field("name") == "tag 7")) == 1)
            let patient = try #require(try context.first("Patient"))
            #expect(try patient.value("scan", as: Data.self) == Data(count: 300_000))
            #expect(try patient.objects("tags").count == 2)
            #expect(try patient.object("country")?.value("code", as: String.self) == "DK")
        }
        #expect(try statementsOnSeveralShards() == before)
        #expect(try clinic.store.readAcrossTenants { try $0.count("Tag") } == 51)
        #expect(try statementsOnSeveralShards() > before)
    }

    @Test(.enabled(if: CitusCluster.countsStatements, "the cluster does not count statements"))
    func rowsOfNewProjectionsAreFoundByTheirTenants() throws {
        _ = try clinic.store.write(tenant: 1) { context in
            try context.insert(many: 0..<200, into: "Tag") { try $0.setValue("Tag \($1)", for: "name") }
        }
        try clinic.store.close()
        var entities = try TenantClinic.model(hasFlags: false).entities
        entities[3].attributes[0] = .string("name", .indexed, .projected("lowercase", as: "lower"))
        let model = try Model(version: 2, hasTenants: true, entities: entities)
        let before = try statementsOnSeveralShards()
        let store = try TenantClinic.open(address, clinic.schema, model: model)
        // The tables as a whole are read and changed with some statements, but there is none for each row.
        #expect(try statementsOnSeveralShards() - before < 100)
        #expect(try store.verify().isSound)
    }

    @Test(.enabled(if: CitusCluster.countsStatements, "the cluster does not count statements"))
    func openingDoesNotTouchShards() throws {
        let before = try statementsOnSeveralShards()
        let store = try TenantClinic.open(address, clinic.schema)
        #expect(try store.read(tenant: 1) { try $0.count("Patient") } == 1)
        #expect(try statementsOnSeveralShards() == before)
    }

    @Test func storeWithoutTenantsIsRefused() throws {
        let model = try Model(entities: [EntityDescription("Ward", attributes: [.string("name")])])
        let schema = "\(clinic.schema)-plain"
        let error = #expect(throws: StoreError(.unsupported, "")) {
            try TenantClinic.open(address, schema, model: model, connections: CitusCluster.options)
        }
        #expect(error?.message.contains("nothing says which rows belong on the same server") == true)
        let store = try TenantClinic.open(address, schema, model: model)
        try store.write { try $0.insert("Ward").setValue("East", for: "name") }
        #expect(try store.read { try $0.count("Ward") } == 1)
    }

    @Test func changedTablesAreDistributed() throws {
        try clinic.store.close()
        var entities = try TenantClinic.model(hasFlags: false).entities
        entities[0].attributes.append(.string("name", .optional))
        entities[3].attributes.append(.string("color", .default("red")))
        entities.append(EntityDescription("Room", attributes: [.string("name")]))
        entities.append(EntityDescription("Region", shared: true))
        let model = try Model(version: 2, hasTenants: true, entities: entities)
        let store = try TenantClinic.open(address, clinic.schema, model: model)
        for tenant in [1, 2] as [Int64] {
            try store.write(tenant: tenant) { context in
                let patient = try #require(try context.first("Patient"))
                #expect(try patient.value("scan", as: Data.self) == TenantClinic.scan(tenant))
                #expect(try patient.objects("tags").map { try $0.value("color", as: String.self) } == ["red"])
                try context.insert("Room").setValue("A", for: "name")
            }
        }
        #expect(try store.readAcrossTenants { try $0.count("Room") } == 2)
        #expect(try store.verify().isSound)
        #expect(try places() == ["Country n", "Patient h", "Region n", "Room h", "Tag h", "Ward h"])
        for name in Self.names + ["Room"] {
            let shards = "run_command_on_shards('@.\"\(name)\"', 'SELECT count(*) FROM %s')"
            let sql = "SELECT sum(\"result\"::int)::text FROM \(shards)"
            #expect(try texts(sql) == ["0"])
        }
    }

    @Test func pairsThatAreSetAsideStayDistributed() throws {
        try clinic.store.close()
        var entities = try TenantClinic.model(hasFlags: false).entities
        entities[2].relationships.removeLast()
        let model = try Model(version: 2, hasTenants: true, entities: entities)
        let store = try TenantClinic.open(address, clinic.schema, model: model)
        #expect(try store.verify().isSound)
        let sql = """
            SELECT "partmethod"::text || ' ' || format_type("atttypid", NULL) FROM pg_dist_partition JOIN pg_attribute
            ON "attrelid" = "logicalrelid" WHERE "logicalrelid" = to_regclass('@."_dropped._pairs.Patient.tags.1"')
            AND "attname" = '_tenant'
            """
        #expect(try texts(sql) == ["h bigint"])
        let folder = try ClinicStore()
        defer { folder.remove() }
        let report = try Store.copy(
            from: address,
            schema: clinic.schema,
            to: folder.file(),
            transformers: folder.registry
        )
        #expect(report.objectCount == 7)
    }

    /// Returns the tables of entities, and whether they are distributed or on all servers.
    private func places() throws -> [String] {
        let sql = """
            SELECT "c"."relname"::text || ' ' || "p"."partmethod"::text FROM pg_dist_partition AS "p"
            JOIN pg_class AS "c" ON "c"."oid" = "p"."logicalrelid" JOIN pg_namespace AS "n" ON "n"."oid" = "c"."relnamespace"
            WHERE "n"."nspname" = '\(clinic.schema)' AND "c"."relname" !~ '^_' ORDER BY 1
            """
        return try texts(sql)
    }

    /// Set `TRANSFORMABLE_CITUS_TENANTS` and `TRANSFORMABLE_CITUS_OBJECTS` for more.
    @Test func manyTenants() throws {
        let tenants = CitusCluster.number("TENANTS") ?? 20
        let objects = CitusCluster.number("OBJECTS") ?? 100
        for tenant in 10..<10 + Int64(tenants) {
            _ = try clinic.store.write(tenant: tenant) { context in
                try context.insert(many: 0..<objects, into: "Patient") { try $0.setValue($1, for: "badge") }
            }
        }
        for tenant in 10..<10 + Int64(tenants) {
            let badges = try clinic.store.read(tenant: tenant) { context in
                try context.fetch("Patient").map { try $0.value("badge", as: Int.self) }
            }
            #expect(badges.count == objects)
            #expect(badges.reduce(0, +) == objects * (objects - 1) / 2)
        }
        #expect(try clinic.store.readAcrossTenants { try $0.count("Patient") } == tenants * objects + 2)
    }
}
