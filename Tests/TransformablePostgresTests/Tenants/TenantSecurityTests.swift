import Foundation
import Testing
import TransformableModel
import TransformablePostgres
import TransformableSQLite
import TransformableStore
import _PostgresServer

/// What row-level security does to statements that are not the store's own.
@Suite(.needsPostgres) struct TenantSecurityTests {
    private let clinic: TenantClinic

    init() throws {
        clinic = try TenantClinic()
    }

    private static let tables = ["\"Ward\"", "\"Patient\"", "\"Tag\"", "\"_pairs.Patient.tags\""]

    @Test(arguments: [true, false]) func withoutASettingThereAreNoRows(isOwner: Bool) throws {
        let connection = isOwner ? try clinic.owner() : try clinic.otherProgram()
        for table in Self.tables {
            #expect(try clinic.count("SELECT FROM @.\(table)", tenant: nil, on: connection) == 0)
            #expect(try clinic.count("DELETE FROM @.\(table)", tenant: nil, on: connection) == 0)
        }
        #expect(try clinic.count("UPDATE @.\"Ward\" SET \"name\" = 'West'", tenant: nil, on: connection) == 0)
        #expect(throws: StoreError(.accessDenied, "")) {
            try clinic.count("INSERT INTO @.\"Tag\" VALUES (99, 1, 'x', 1)", tenant: nil, on: connection)
        }
        #expect(try clinic.count("SELECT FROM @.\"Country\"", tenant: nil, on: connection) == 1)
        #expect(try clinic.store.readAcrossTenants { try $0.count("Patient") } == 2)
    }

    @Test(arguments: [true, false]) func rowsOfOtherTenantsAreOutOfReach(isOwner: Bool) throws {
        let connection = isOwner ? try clinic.owner() : try clinic.otherProgram()
        for table in Self.tables {
            #expect(try clinic.count("SELECT FROM @.\(table)", tenant: 1, on: connection) == 1)
        }
        let other = clinic.wards[1]
        let change = "UPDATE @.\"Ward\" SET \"name\" = 'West' WHERE \"_id\" = \(other)"
        #expect(try clinic.count(change, tenant: 1, on: connection) == 0)
        #expect(try clinic.count("DELETE FROM @.\"Ward\" WHERE \"_id\" = \(other)", tenant: 1, on: connection) == 0)
        for sql in ["INSERT INTO @.\"Tag\" VALUES (99, 1, 'x', 2)", "UPDATE @.\"Tag\" SET \"_tenant\" = 2"] {
            #expect(throws: StoreError(.accessDenied, "")) {
                try clinic.count(sql, tenant: 1, on: connection)
            }
        }
        // References are checked no matter what the role can see.
        #expect(throws: StoreError(.danglingReference, "")) {
            try clinic.count("UPDATE @.\"Patient\" SET \"ward\" = \(other)", tenant: 1, on: connection)
        }
        try clinic.store.read(tenant: 2) { context in
            let ward = try context.object(ObjectID(entity: "Ward", number: other))
            #expect(try ward.value("name", as: String.self) == "East")
            #expect(try ward.objects("patients").count == 1)
        }
    }

    @Test(arguments: [true, false]) func piecesOfOtherTenantsAreOutOfReach(isOwner: Bool) throws {
        let connection = isOwner ? try clinic.owner() : try clinic.otherProgram()
        let count = { sql, tenant in try clinic.count(sql, tenant: tenant, on: connection) }
        for table in ["@._transformable_blob", "@._transformable_chunk"] {
            // Those of shared objects are for everyone, and only `writeShared` changes them.
            #expect(try count("SELECT FROM \(table)", nil) == 1)
            #expect(try count("SELECT FROM \(table)", 1) == 2)
            #expect(try count("SELECT FROM \(table)", 3) == 1)
            #expect(try count("SELECT FROM \(table) WHERE \"_tenant\" = 2", 1) == 0)
            #expect(try count("DELETE FROM \(table) WHERE \"_tenant\" IS DISTINCT FROM 1", 1) == 0)
            for tenant in ["2", "NULL"] {
                #expect(throws: StoreError(.accessDenied, "")) {
                    try count("UPDATE \(table) SET \"_tenant\" = \(tenant)", 1)
                }
            }
        }
        for tenant in [1, 2] as [Int64] {
            try clinic.store.read(tenant: tenant) { context in
                let patient = try #require(try context.first("Patient"))
                #expect(try patient.value("scan", as: Data.self) == TenantClinic.scan(tenant))
                let flag = try patient.object("country")?.value("flag", as: Data.self)
                #expect(flag == Data(repeating: 9, count: 500))
            }
        }
        let scans = try clinic.store.readAcrossTenants { context in
            try context.fetch("Patient").map { try $0.value("scan", as: Data.self) }
        }
        #expect(Set(scans) == [TenantClinic.scan(1), TenantClinic.scan(2)])
        #expect(try clinic.store.verify().isSound)
    }

    // PgBouncer may share a connection in which someone has set a tenant.
    @Test func aTenantThatWasLeftInAConnectionHasNoEffect() throws {
        let bound = try PostgresServer.boundAddress.get().description
        let settings = "-c transformable.tenant=1 -c transformable.scope=all"
        let store = try TenantClinic.open(PostgresAddress("\(bound) options='\(settings)'"), clinic.schema)
        defer { try? store.close() }
        let count = "SELECT count(*) AS \"n\" FROM \"\(clinic.schema)\".\"Patient\""
        #expect(try store.read(tenant: 2) { try $0.rows(count).first?.value("n", as: Int.self) } == 1)
        try store.writeShared { context in
            try context.first("Country")?.setValue(Data(repeating: 8, count: 300), for: "flag")
        }
        try clinic.store.read(tenant: 2) { context in
            let country = try #require(try context.first("Country"))
            #expect(try country.value("flag", as: Data.self) == Data(repeating: 8, count: 300))
        }
        #expect(try store.verify().isSound)
    }

    @Test func piecesEndWithTheirValues() throws {
        let connection = try clinic.owner()
        let count = { tenant in try clinic.count("SELECT FROM @._transformable_chunk", tenant: tenant, on: connection) }
        try clinic.store.write(tenant: 1) { try $0.first("Patient")?.setValue(Data(count: 300), for: "scan") }
        #expect(try (count(1), count(2)) == (2, 2))
        try clinic.store.write(tenant: 1) { _ = try $0.delete("Patient", where: .all) }
        #expect(try (count(1), count(2)) == (1, 2))
        try clinic.store.writeShared { try $0.first("Country")?.setValue(Data(count: 1), for: "flag") }
        #expect(try (count(1), count(2), count(nil)) == (0, 1, 0))
    }

    @Test func importedPiecesBelongToTheirTenants() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "export-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        _ = try clinic.store.export(to: folder)
        let schema = "\(clinic.schema)-imported"
        let store = try TenantClinic.open(PostgresServer.boundAddress.get(), schema, model: TenantClinic.model())
        _ = try store.importExport(from: folder)
        #expect(try store.verify().isSound)
        let sql = "SELECT coalesce(\"_tenant\"::text, 'shared') FROM \"\(schema)\"._transformable_chunk ORDER BY 1"
        let tenants = try PostgresServer.connect().rows(PostgresStatement(sql)) { try $0.value(0, as: String.self) }
        #expect(tenants == ["1", "2", "shared"])
    }

    // As in an export that was put together from those of several stores.
    @Test func importedObjectsOfTwoTenantsHaveDifferentNumbers() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "export-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        _ = try clinic.store.export(to: folder)
        let number = try clinic.store.read(tenant: 1) { try #require(try $0.first("Tag")).id.number }
        let file = folder.appending(path: "Tag.jsonl")
        let lines = try String(contentsOf: file, encoding: .utf8)
        let twin = #"{"_id":\#(number),"_tenant":3,"name":"late"}"#
        try "\(lines)\(twin)\n".write(to: file, atomically: true, encoding: .utf8)
        try FileManager.default.removeItem(at: folder.appending(path: "export.json"))
        let schema = "\(clinic.schema)-merged"
        let store = try TenantClinic.open(PostgresServer.boundAddress.get(), schema, model: TenantClinic.model())
        let error = #expect(throws: StoreError(.notUnique, "")) {
            try store.importExport(from: folder, requiringManifest: false)
        }
        #expect(error?.object == ObjectID(entity: "Tag", number: number))
        #expect(try store.readAcrossTenants { try $0.count("Tag") } == 0)
    }

    // Row-level security hides external values while the store is opened.
    @Test func damagedValuesThatWereSetAsideAreFound() throws {
        let (schema, address) = ("\(clinic.schema)-aside", try PostgresServer.boundAddress.get())
        func model(_ version: Int, _ attributes: [AttributeDescription]) throws -> Model {
            let scan = EntityDescription("Scan", attributes: [.string("name")] + attributes)
            return try Model(version: version, hasTenants: true, entities: [scan])
        }
        let external = AttributeDescription.data("bytes", .optional, .externalStorage(over: 100))
        let first = try TenantClinic.open(address, schema, model: model(1, [external]))
        try first.write(tenant: 1) { context in
            let scan = try context.insert("Scan")
            try scan.setValue("hip", for: "name")
            try scan.setValue(Data(count: 500), for: "bytes")
        }
        try first.close()
        let second = try TenantClinic.open(address, schema, model: model(2, []))
        #expect(try second.verify().isSound)
        let damage = "UPDATE \"\(schema)\"._transformable_chunk SET \"bytes\" = set_byte(\"bytes\", 20, 1)"
        try PostgresServer.connect().run(script: damage)
        #expect(try second.verify().faults.map(\.code) == [.damagedBlob])
    }

    @Test func settingEndsWithTheTransaction() throws {
        let connection = try clinic.owner()
        #expect(try clinic.count("SELECT FROM @.\"Ward\"", tenant: 1, on: connection) == 1)
        #expect(try clinic.count("SELECT FROM @.\"Ward\"", tenant: nil, on: connection) == 0)
    }

    @Test func connectionsOfAPoolKeepNothing() throws {
        var connections = PostgresOptions()
        connections.maximumConnections = 1
        connections.usesTransactionPooling = true
        let clinic = try TenantClinic(connections: connections)
        for tenant in [1, 2, 1] as [Int64] {
            let wards = try clinic.store.read(tenant: tenant) { try $0.fetch("Ward").map(\.id.number) }
            #expect(wards == [clinic.wards[Int(tenant) - 1]])
            #expect(try clinic.store.read(tenant: 3) { try $0.count("Ward") } == 0)
        }
    }

    // MARK: - Opening

    @Test func roleThatBypassesSecurityIsRefused() throws {
        let superuser = try PostgresServer.shared.get().address
        let error = #expect(throws: StoreError(.accessDenied, "")) {
            try TenantClinic.open(superuser, clinic.schema)
        }
        #expect(error?.message.contains("“tester” bypasses row-level security") == true)
        #expect(throws: StoreError(.accessDenied, "")) {
            try TenantClinic.open(superuser, "tenants-of-a-superuser", model: TenantClinic.model())
        }
        let schemas = "SELECT FROM pg_namespace WHERE nspname = 'tenants-of-a-superuser'"
        #expect(try PostgresServer.connect().execute(PostgresStatement(schemas)) == 0)
    }

    @Test(arguments: ["DISABLE", "NO FORCE"]) func tablesWithoutSecurityAreRefused(change: String) throws {
        try clinic.administer("ALTER TABLE @.\"Tag\" \(change) ROW LEVEL SECURITY")
        let error = #expect(throws: StoreError(.accessDenied, "")) {
            try TenantClinic.open(PostgresServer.boundAddress.get(), clinic.schema)
        }
        #expect(error?.entity == "Tag")
    }

    // MARK: - All tenants

    private func hidePatients() throws {
        try clinic.administer("CREATE POLICY \"one\" ON @.\"Patient\" AS RESTRICTIVE USING (\"_tenant\" = 1)")
    }

    private static let reencoding = Reencoding("scan", of: "Patient", to: .transformer("base64"))
    private static let wholeReads: [String: @Sendable (Store, URL) throws -> Void] = [
        "export": { store, folder in _ = try store.export(to: folder) },
        "verify": { store, _ in _ = try store.verify() },
        "countValues": { store, _ in _ = try store.countValues(byFirst: 8) { _ in true } },
        "rowKeys": { store, _ in _ = try store.rowKeys() },
        "rehearse": { store, _ in _ = try store.rehearse(reencoding) },
        "reencode": { store, _ in try store.reencode(reencoding) },
        "reauthenticateRows": { store, _ in try store.reauthenticateRows() },
    ]

    @Test(arguments: wholeReads.keys.sorted()) func rowsThatAnotherPolicyHidesAreNotLeftOut(of name: String) throws {
        let folder = try ClinicStore()
        defer { folder.remove() }
        let read = try #require(Self.wholeReads[name])
        try hidePatients()
        let error = #expect(throws: StoreError(.accessDenied, "")) { try read(clinic.store, folder.file()) }
        #expect(error?.entity == "Patient")
        #expect(error?.message.contains("copy") == false)
        #expect(try clinic.store.read(tenant: 1) { try $0.count("Patient") } == 1)
    }

    @Test func rowsThatAnotherPolicyHidesAreNotLeftOutOfACopy() throws {
        let folder = try ClinicStore()
        defer { folder.remove() }
        try hidePatients()
        let address = try PostgresServer.boundAddress.get()
        let error = #expect(throws: StoreError(.accessDenied, "")) {
            try Store.copy(from: address, schema: clinic.schema, to: folder.file(), transformers: folder.registry)
        }
        #expect(error?.entity == "Patient")
    }

    private func letOnlyAnAuditorReadAllTenants() throws {
        try clinic.administer("CREATE ROLE \"auditor-\(clinic.schema)\" LOGIN")
        for table in Self.tables {
            try clinic.administer("ALTER POLICY \"_all_tenants\" ON @.\(table) TO \"auditor-\(clinic.schema)\"")
        }
    }

    @Test func policyForAllTenantsCanBeLimitedToARole() throws {
        #expect(try clinic.store.readAcrossTenants { try $0.count("Patient") } == 2)
        try letOnlyAnAuditorReadAllTenants()
        let store = try TenantClinic.open(PostgresServer.boundAddress.get(), clinic.schema)
        // One of the stores was open before.
        for store in [store, clinic.store] {
            let error = #expect(throws: StoreError(.accessDenied, "")) {
                try store.readAcrossTenants { try $0.count("Patient") }
            }
            #expect(error?.message.contains("_all_tenants") == true)
            #expect(try store.read(tenant: 2) { try $0.count("Patient") } == 1)
        }
        let connection = try clinic.owner()
        let all = "SELECT set_config('transformable.scope', 'all', true)"
        let count = try connection.transaction(.readCommitted) {
            try connection.execute(PostgresStatement(all))
            return try connection.execute(PostgresStatement(clinic.named("SELECT FROM @.\"Ward\"")))
        }
        #expect(count == 0)
    }

    @Test(arguments: [true, false]) func noTenantIsLeftOutIfAnErrorIsIgnored(isFollowed: Bool) throws {
        try letOnlyAnAuditorReadAllTenants()
        let error = #expect(throws: StoreError(.accessDenied, "")) {
            try clinic.store.readAcrossTenants { context in
                let count = (try? context.count("Patient")) ?? 0
                return try isFollowed ? context.fetch("Ward").count : count
            }
        }
        #expect(error?.message.contains("_all_tenants") == true)
        #expect(try clinic.store.read(tenant: 2) { try $0.count("Patient") } == 1)
    }

    @Test func allRowsAreReadOnlyOnRequest() throws {
        let connection = try clinic.owner()
        let counts = try connection.transaction(.readCommitted) {
            try connection.run(script: "SET LOCAL transformable.scope TO 'all'")
            return try ["SELECT FROM @.\"Ward\"", "UPDATE @.\"Ward\" SET \"name\" = 'x'", "DELETE FROM @.\"Ward\""]
                .map { try connection.execute(PostgresStatement(clinic.named($0))) }
        }
        #expect(counts == [2, 0, 0])
    }

    // MARK: - Tables

    @Test func keysAndIndexesContainTheTenant() throws {
        let sql = """
            SELECT "c"."relname"::text || ' ' || pg_get_constraintdef("k"."oid") FROM pg_constraint AS "k"
            JOIN pg_class AS "c" ON "c"."oid" = "k"."conrelid" JOIN pg_namespace AS "n" ON "n"."oid" = "c"."relnamespace"
            WHERE "n"."nspname" = '\(clinic.schema)' AND "k"."contype" IN ('p', 'f') AND "c"."relname" NOT LIKE '\\_t%'
            """
        let definitions = try PostgresServer.connect().rows(PostgresStatement(sql)) { try $0.value(0, as: String.self) }
        let schema = "\"\(clinic.schema)\"."
        let end = " DEFERRABLE INITIALLY DEFERRED"
        #expect(
            Set(definitions) == [
                "Country PRIMARY KEY (_id)", "Ward PRIMARY KEY (_id, _tenant)", "Patient PRIMARY KEY (_id, _tenant)",
                "Tag PRIMARY KEY (_id, _tenant)", "_pairs.Patient.tags PRIMARY KEY (first, second, _tenant)",
                "Patient FOREIGN KEY (ward, _tenant) REFERENCES \(schema)\"Ward\"(_id, _tenant)\(end)",
                "Patient FOREIGN KEY (country) REFERENCES \(schema)\"Country\"(_id)\(end)",
                "_pairs.Patient.tags FOREIGN KEY (first, _tenant) REFERENCES \(schema)\"Patient\"(_id, _tenant)\(end)",
                "_pairs.Patient.tags FOREIGN KEY (second, _tenant) REFERENCES \(schema)\"Tag\"(_id, _tenant)\(end)",
            ]
        )
    }

    @Test(arguments: ["", " options='-c row_security=off'"])
    func copyOfAFileHasTheSameTenantsWhateverTheRoleHasSet(settings: String) throws {
        let folder = try ClinicStore()
        defer { folder.remove() }
        let file = try Store(at: folder.url, model: TenantClinic.model(), transformers: folder.registry)
        try TenantClinic.fill(file)
        let address = try PostgresAddress(PostgresServer.boundAddress.get().description + settings)
        let schema = "\(clinic.schema)-copy"
        let report = try file.copy(to: address, schema: schema)
        #expect((report.objectCount, report.blobCount) == (7, 3))
        let sql = "SELECT coalesce(\"_tenant\"::text, 'shared') FROM \"\(schema)\"._transformable_chunk ORDER BY 1"
        let tenants = try PostgresServer.connect().rows(PostgresStatement(sql)) { try $0.value(0, as: String.self) }
        #expect(tenants == ["1", "2", "shared"])
        let store = try TenantClinic.open(address, schema)
        #expect(try store.read(tenant: 2) { try $0.count("Patient", where: Field("ward.name") == "East") } == 1)
        #expect(try store.verify().isSound)
        let back = folder.file()
        #expect(try Store.copy(from: address, schema: schema, to: back, transformers: folder.registry).objectCount == 7)
        #expect(try ClinicStore.dump(back) == ClinicStore.dump(folder.url))
    }

    @Test func recordOfNoObjectIsNotCopied() throws {
        let folder = try ClinicStore()
        defer { folder.remove() }
        let file = try Store(at: folder.url, model: TenantClinic.model(), transformers: folder.registry)
        try TenantClinic.fill(file)
        try folder.shell("UPDATE _transformable_blob SET object = 99 WHERE object = 1 AND entity <> 1")
        let address = try PostgresServer.boundAddress.get()
        let error = #expect(throws: StoreError(.damagedBlob, "")) {
            try file.copy(to: address, schema: "\(clinic.schema)-copy")
        }
        #expect(error?.object == ObjectID(entity: "Patient", number: 99))
    }
}
