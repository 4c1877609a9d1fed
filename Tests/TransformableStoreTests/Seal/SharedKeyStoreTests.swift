import EncryptionPlugin
import Foundation
import Testing
import Transformable
import TransformableStore

/// Stores that someone sealed with a key that this program has as well.
@Suite(.eachEngine, .alsoWithTenants)
struct SharedKeyStoreTests {
    private let partner: KeyRing
    private let own: KeyRing

    init() throws {
        partner = try KeyRing.empty.addingKey(named: "partner")
        own = try KeyRing.empty.addingKey(named: "clinic")
    }

    /// Returns a store that the partner has created and sealed, to be opened with another ring.
    private func fixture(_ ring: KeyRing) throws -> RowFixture {
        var fixture = try RowFixture(partner)
        let store = try fixture.open()
        try store.write { context in
            let patient = try context.insert("Patient")
            try patient.setValue("Ada", for: "name")
            try patient.setValue("ssn", for: "ssn")
        }
        try store.close()
        fixture.ring = ring
        return fixture
    }

    private func names(_ store: Store) throws -> [String] {
        try store.read { try $0.fetch("Patient").map { try $0.value("ssn", as: String.self) } }
    }

    @Test(arguments: [Store.Options.readOnly, .mustExist])
    func aSharedKeyDoesNotSealAStore(options: Store.Options) throws {
        let fixture = try fixture(own.importing(partner, shared: true))
        let error = #expect(throws: StoreError(code: .unauthenticatedModel)) { try fixture.open(options) }
        #expect(error?.transformerError?.code == .sharedKey)
        #expect(error?.message.contains("acceptsUnauthenticatedModel") == true)
    }

    @Test func aSharedKeyDoesNotAuthenticateRows() throws {
        let fixture = try fixture(own.importing(partner, shared: true))
        try fixture.open(Store.Options(acceptsUnauthenticatedModel: true)).close()
        let store = try fixture.open()
        #expect(try store.sealKey() == own.generations(of: "clinic").first.map { "\($0.id)" })
        let error = #expect(throws: StoreError(code: .unauthenticatedRow)) { try names(store) }
        #expect(error?.transformerError?.code == .sharedKey)
        #expect(try store.verify().faultCount == 1)
        try store.close()
        try fixture.open(Store.Options(acceptsUnauthenticatedRows: true)).close()
        let accepted = try fixture.open()
        #expect(try accepted.verify().isSound)
        // What the partner sealed still opens.
        #expect(try names(accepted) == ["ssn"])
    }

    @Test func anotherKeyOfTheRingAuthenticatesStoresAndRows() throws {
        let fixture = try fixture(own.importing(partner))
        let store = try fixture.open()
        #expect(store.isAuthenticated)
        #expect(try names(store) == ["ssn"])
    }
}
