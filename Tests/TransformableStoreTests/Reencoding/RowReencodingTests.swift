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
}
