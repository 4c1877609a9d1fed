import EncryptionPlugin
import Foundation
import Testing
import Transformable
import TransformableSQLite
import TransformableStore

/// Re-encodings of authenticated rows, which an attacker without the key could try to use to get a tag.
@Suite(.eachEngine, .alsoWithTenants)
struct RowReencodingTests {
    private struct Stop: Error {}

    private static let reencodings = [
        Reencoding("diagnosis", of: "Patient", to: .transformer("text | sealed")),
        Reencoding("diagnosis", of: "Patient", to: .transformer("text")), Reencoding("ssn", of: "Patient"),
    ]

    private func columns(of fixture: RowFixture) throws -> [String] {
        try Trial.columns(of: "Patient", in: fixture.url)
    }

    private func number(of attribute: String, in fixture: RowFixture) throws -> Int64 {
        let sql = "SELECT \"id\" FROM \"_transformable_attribute\" WHERE \"name\" = '\(attribute)'"
        let cell = try #require(try Trial.cells(sql, in: fixture.url).first?.first)
        guard case .integer(let number) = cell else { throw Stop() }
        return number
    }

    @Test(arguments: reencodings)
    func doesNotUseAForgedRow(reencoding: Reencoding) throws {
        let fixture = try RowFixture.filled()
        try fixture.change("UPDATE \"Patient\" SET diagnosis = 'FORGED' WHERE _id = 2")
        let store = try fixture.open()
        #expect(throws: StoreError(code: .unauthenticatedRow)) { try store.rehearse(reencoding) }
        #expect(throws: StoreError(code: .unauthenticatedRow)) { try store.reencode(reencoding) }
        #expect(try store.unfinishedReencodings() == [])
        #expect(try !columns(of: fixture).contains { $0.hasPrefix("_reencoded") })
        try fixture.change("UPDATE \"Patient\" SET diagnosis = 'flu' WHERE _id = 2")
        #expect(try store.verify().isSound)
    }

    // The store is not affected by the change of the model, so it can continue to write.
    @Test func rowsCanBeTaggedAfterward() throws {
        let fixture = try RowFixture.filled()
        let store = try fixture.open()
        try store.reencode(Reencoding("diagnosis", of: "Patient", to: .plain))
        try store.write { context in
            try context.insert("Patient").setValue("Cy", for: "name")
            try context.first("Patient", where: Field("name") == "Ada")?.setValue(50, for: "age")
        }
        #expect(try store.verify().faults.map(\.description) == [])
    }

    @Test func keysOfPendingCellsStayInUse() throws {
        let fixture = try RowFixture.filled()
        let store = try fixture.open()
        let reencoding = Reencoding("diagnosis", of: "Patient", to: .transformer("text | sealed"))
        #expect(throws: Stop.self) { try store.reencode(reencoding) { _ in throw Stop() } }
        let usage = try KeyUsage(of: [store])
        #expect(usage.unknown == ["Patient.diagnosis (in an unfinished re-encoding)"])
        try store.abortReencodings()
        #expect(try KeyUsage(of: [store]).unknown == [])
    }

    // The pending cell is in a column that no tag covers.
    @Test func discardsPendingCellsOfAnInterruptedRun() throws {
        let fixture = try RowFixture.filled()
        let store = try fixture.open()
        let reencoding = Reencoding("diagnosis", of: "Patient", to: .transformer("text"))
        #expect(throws: Stop.self) { try store.reencode(reencoding) { _ in throw Stop() } }
        let shadow = try "_reencoded.\(number(of: "diagnosis", in: fixture))"
        try #require(try columns(of: fixture).contains(shadow))
        try fixture.change("UPDATE \"Patient\" SET \"\(shadow)\" = \(Trial.bytes("464f52474544"))")
        #expect(try store.reencode(reencoding).cells == 2)
        try store.close()
        let changed = try Store.trial(at: fixture.url, transformers: fixture.registry())
        #expect(try changed.verify().isSound)
        let diagnoses = try changed.read { context in
            try context.fetch("Patient").map { try $0.value("diagnosis", as: String?.self) }
        }
        #expect(diagnoses == ["gout", "flu"])
    }

    /// What a newer model says about patients.
    struct Change: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let attributes: [AttributeDescription]

        init(_ name: String, _ attributes: AttributeDescription...) {
            testDescription = name
            self.attributes = attributes
        }

        var model: Model {
            get throws {
                let former = try RowFixture.model()
                let entities = former.entities.map { entity in
                    guard entity.name == "Patient" else { return entity }
                    var patient = entity
                    patient.attributes = entity.attributes.map { old in
                        attributes.first { $0.name == old.name } ?? old
                    }
                    patient.attributes += attributes.filter { entity.attribute($0.name) == nil }
                    return patient
                }
                return try Model(version: 2, entities: entities)
            }
        }
    }

    private static func ssn(_ expression: String, bits: Int) -> AttributeDescription {
        let index = "text | blind-index(bits: \(bits))"
        return .transformed("ssn", expression, as: String.self, .optional, .projected(index, as: "ssn_bi"))
    }

    private static let changes = [
        Change("a transformer", ssn("text | zlib | sealed", bits: 16)),
        Change("an index", ssn("text | sealed", bits: 12)),
        Change("a transformer and its index", ssn("text | zlib | sealed", bits: 12)),
        Change(
            "a transformer and the index of another attribute",
            .transformed("diagnosis", "text | sealed", as: String.self, .optional),
            ssn("text | sealed", bits: 12)
        ),
        Change(
            "no transformer any longer, and an index",
            .string("ssn", .optional, .projected("text | blind-index(bits: 12)", as: "ssn_bi"))
        ),
        Change(
            "a transformer, its index, and a new column",
            ssn("text | zlib | sealed", bits: 12),
            .string("note", .optional)
        ),
    ]

    // An index is recomputed in the transaction that ends the re-encoding, and its column is empty until then.
    @Test(arguments: changes) func openingAStoreWithANewerModelKeepsRowsAuthentic(change: Change) throws {
        let fixture = try RowFixture.filled()
        let store = try fixture.open(Store.Options(changedTransformers: .reencode), model: change.model)
        #expect(try store.verify().faults.map(\.description) == [])
        #expect(try diagnoses(of: "ssn-1", in: store) == ["flu"])
        try store.write { try $0.first("Patient", where: Field("ssn") == "ssn-1")?.setValue("ssn-2", for: "ssn") }
        #expect(try store.verify().faults.map(\.description) == [])
        #expect(try diagnoses(of: "ssn-2", in: store) == ["flu"])
    }

    private func diagnoses(of ssn: String, in store: Store) throws -> [String?] {
        try store.read { context in
            try context.fetch("Patient", where: Field("ssn") == ssn).map { try $0.value("diagnosis", as: String?.self) }
        }
    }
}
