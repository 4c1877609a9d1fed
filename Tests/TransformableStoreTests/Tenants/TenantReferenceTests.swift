import Foundation
import GRDB
import Testing
import Transformable
import TransformableSQLite
import TransformableStore

/// The references of tenants' objects.
@Suite struct TenantReferenceTests {
    /// Contexts that read across tenants look references up without a tenant, and so does the deletion of a shared object.
    @Test(arguments: ["ward", "country"]) func referencesAreFoundAcrossTenants(column: String) throws {
        let folder = try Folder()
        let patient = EntityDescription(
            "Patient",
            attributes: [.string("name")],
            relationships: [.toOne("ward", "Ward"), .toOne("country", "Country")],
            indexes: [[.ascending("ward")]]
        )
        let country = EntityDescription("Country", attributes: [.string("code")], shared: true)
        let model = try Model(hasTenants: true, entities: [patient, EntityDescription("Ward"), country])
        try Store(at: folder.file(), model: model, transformers: Transformers().registry()).close()
        let plan = try shell(folder.file()) { database in
            try Row.fetchAll(database, sql: "EXPLAIN QUERY PLAN SELECT _id FROM Patient WHERE \(column) = 1")
                .map { $0["detail"] as String }
        }
        #expect(plan == ["SEARCH Patient USING COVERING INDEX _index.Patient.\(column) (\(column)=?)"])
    }
}
