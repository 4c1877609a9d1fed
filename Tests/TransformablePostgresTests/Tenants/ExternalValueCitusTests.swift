import Foundation
import StandardPlugin
import Testing
import Transformable
import TransformableModel
import TransformablePostgres
import TransformableStore

/// External values in stores that Citus distributes by tenant.
@Suite(.needsCitus) struct ExternalValueCitusTests {
    private let clinic: TenantClinic
    private let address: PostgresAddress

    init() throws {
        address = try PostgresAddress(#require(CitusCluster.address))
        clinic = try TenantClinic(at: address, connections: CitusCluster.options)
    }

    private func texts(_ sql: String) throws -> [String] {
        let connection = try PostgresConnection(address)
        return try connection.rows(PostgresStatement(clinic.named(sql))) { try $0.value(0, as: String.self) }
    }

    @Test func piecesAreThoseOfTheirTenant() throws {
        let connection = try PostgresConnection(address)
        let count = { tenant in try clinic.count("SELECT FROM @._transformable_chunk", tenant: tenant, on: connection) }
        #expect(try (count(nil), count(1), count(2)) == (0, 1, 1))
        for tenant in [1, 2] as [Int64] {
            let scan = try clinic.store.read(tenant: tenant) { try $0.first("Patient")?.value("scan", as: Data.self) }
            #expect(scan == TenantClinic.scan(tenant))
        }
        let scans = try clinic.store.readAcrossTenants { context in
            try context.fetch("Patient").map { try $0.value("scan", as: Data.self) }
        }
        #expect(Set(scans) == [TenantClinic.scan(1), TenantClinic.scan(2)])
        // Triggers on the workers delete the pieces.
        try clinic.store.write(tenant: 1) { try $0.first("Patient")?.setValue(Data(count: 300_000), for: "scan") }
        #expect(try (count(1), count(2)) == (2, 1))
        #expect(try clinic.store.verify().isSound)
        try clinic.store.write(tenant: 1) { _ = try $0.delete("Patient", where: .all) }
        #expect(try (count(1), count(2)) == (0, 1))
    }

    @Test func externalValuesAreDeletedAfterTheSchemaIsRenamed() throws {
        try clinic.store.close()
        let name = "\(clinic.schema)-renamed"
        try PostgresConnection(address).run(script: clinic.named("ALTER SCHEMA @ RENAME TO \"\(name)\""))
        let store = try TenantClinic.open(address, name)
        defer { try? store.close() }
        try store.write(tenant: 1) { try $0.first("Patient")?.setValue(Data(count: 300_000), for: "scan") }
        let found = try store.verify()
        #expect(found.isSound && found.blobCount == 2)
    }

    @Test func functionsOfEarlierVersionsAreReplacedOnWorkers() throws {
        let function = "@.\"_blob.Patient.scan\"() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END'"
        try PostgresConnection(address).run(script: clinic.named("CREATE OR REPLACE FUNCTION \(function)"))
        let store = try TenantClinic.open(address, clinic.schema)
        defer { try? store.close() }
        try store.write(tenant: 1) { try $0.first("Patient")?.setValue(Data(count: 300_000), for: "scan") }
        let found = try store.verify()
        #expect(found.isSound && found.blobCount == 2)
    }

    // A dump contains the functions of a distributed store, but not how it is distributed.
    @Test func functionsDeleteExternalValuesInTablesThatAreNotDistributed() throws {
        let other = try TenantClinic(at: address)
        defer { try? other.store.close() }
        let sql = """
            SELECT pg_get_functiondef("oid") FROM pg_proc
            WHERE "proname" = '_blob.Patient.scan' AND "pronamespace" = to_regnamespace('@')
            """
        let function = try #require(texts(sql).first).replacing(clinic.schema, with: other.schema)
        try PostgresConnection(address).run(script: function)
        try other.store.write(tenant: 1) { try $0.first("Patient")?.setValue(Data(count: 300_000), for: "scan") }
        let found = try other.store.verify()
        // The shared country has a flag.
        #expect(found.isSound && found.blobCount == 3)
    }

    // In earlier versions, the pieces were checked at the end of a transaction.
    @Test(arguments: [false, true]) func externalValuesAreReencodedWhileOthersWrite(isEarlier: Bool) throws {
        struct Stop: Error {}
        if isEarlier { try checkPiecesLate() }
        let store = try TenantClinic.open(address, clinic.schema, registry: Self.registry())
        let reencoding = Reencoding("scan", of: "Patient", to: .transformer("gzip"))
        #expect(throws: Stop.self) { try store.reencode(reencoding) { _ in throw Stop() } }
        // The last transaction has to convert this value.
        let new = Data((0..<300_000).map { UInt8(truncatingIfNeeded: ($0 &* 2_654_435_761) >> 11) })
        try clinic.store.write(tenant: 1) { try $0.first("Patient")?.setValue(new, for: "scan") }
        try store.reencode(reencoding)
        #expect(try texts(Self.lateChecks) == ["0"])
        try store.close()
        let reencoded = try TenantClinic.open(address, clinic.schema, registry: Self.registry())
        for (tenant, scan) in [(1, new), (2, TenantClinic.scan(2))] as [(Int64, Data)] {
            let found = try reencoded.read(tenant: tenant) { try $0.first("Patient")?.value("scan", as: Data.self) }
            #expect(found == scan)
        }
        #expect(try reencoded.verify().isSound)
        #expect(try reencoded.removeOrphanedBlobs() == 0)
    }

    private static func registry() throws -> TransformerRegistry { try TransformerRegistry { StandardPlugin() } }

    private static let lateChecks = """
        SELECT count(*)::text FROM pg_constraint WHERE "conrelid" = to_regclass('@._transformable_chunk') AND "condeferrable"
        """

    /// Makes the store check the pieces of external values as in earlier versions.
    private func checkPiecesLate() throws {
        let name = "\"_reference._transformable_chunk.blob\""
        let connection = try PostgresConnection(address)
        try connection.run(script: clinic.named("ALTER TABLE @._transformable_chunk DROP CONSTRAINT \(name)"))
        let reference = """
            ALTER TABLE @._transformable_chunk ADD CONSTRAINT \(name) FOREIGN KEY ("blob", "_tenant")
            REFERENCES @._transformable_blob ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED
            """
        try connection.run(script: clinic.named(reference))
        #expect(try texts(Self.lateChecks) == ["1"])
    }

    @Test func externalValuesOfSharedObjectsAreRefused() throws {
        let error = #expect(throws: StoreError(.unsupported, "")) {
            try TenantClinic.open(
                address,
                "\(clinic.schema)-flags",
                model: TenantClinic.model(),
                connections: CitusCluster.options
            )
        }
        #expect(error?.entity == "Country")
        #expect(error?.attribute == "flag")
    }

    // Beforehand, because the plan is what tells whether a migration will succeed.
    @Test func planOfExternalValuesOfSharedObjectsIsRefused() throws {
        let model = try Model(version: 2, hasTenants: true, entities: TenantClinic.model().entities)
        let error = #expect(throws: StoreError(.unsupported, "")) {
            try Store.plan(
                postgres: address.description,
                schema: clinic.schema,
                model: model,
                transformers: Self.registry()
            )
        }
        #expect(error?.entity == "Country")
        #expect(error?.attribute == "flag")
    }
}
