import Testing
import Transformable
import TransformableEntities

@Entity(authenticatesRows: true)
final class Prescription {
    var drug: String

    init(drug: String) {
        self.drug = drug
    }
}

@Suite struct AuthenticatedEntityTests {
    @Test func theModelAuthenticatesRows() throws {
        #expect(try Model(of: Prescription.self).authenticatesRows(of: "Prescription"))
    }

    @Test func aStoreInMemoryRequiresNoKey() throws {
        let store = try Store.inMemory(for: Prescription.self, transformers: TransformerRegistry {})
        try store.write { context in _ = context.insert(Prescription(drug: "aspirin")) }
        #expect(try store.read { try $0.fetch(Prescription.self).map(\.drug) } == ["aspirin"])
    }
}
