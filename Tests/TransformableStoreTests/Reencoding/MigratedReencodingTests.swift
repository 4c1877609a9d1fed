import Foundation
import Testing
import Transformable
import TransformableStore

/// Re-encodings that are unfinished when a migration changes the entities of their family.
@Suite(.eachEngine, .alsoWithTenants) struct MigratedReencodingTests {
    private struct Interruption: Error {}

    private static let ssn = AttributeDescription.transformed("ssn", "text | bound", as: String.self)

    private let fixture: ReencodingFixture

    init() throws {
        fixture = try ReencodingFixture()
    }

    private func open(_ version: Int, _ children: String...) throws -> Store {
        let person = EntityDescription("Person", abstract: true, attributes: [Self.ssn])
        let entities = children.map { EntityDescription($0, parent: "Person") }
        let model = try Model(version: version, entities: [person] + entities)
        return try Store.trial(at: fixture.folder.file(), model: model, transformers: fixture.registry)
    }

    @Test func oneOfAFamilyKeepsTheReencodingOfAll() throws {
        let store = try open(1, "Patient", "Doctor")
        try store.insert(many: 0..<900, into: "Patient") { try $0.setValue("\($1)", for: "ssn") }
        let reencoding = Reencoding("ssn", of: "Patient", to: .plain)
        #expect(throws: Interruption.self) { try store.reencode(reencoding) { _ in throw Interruption() } }
        try store.close()
        let migrated = try open(2, "Patient")
        let unfinished = try migrated.unfinishedReencodings()
        #expect(unfinished.map(\.attribute) == ["ssn"])
        #expect(unfinished.map(\.waitingCount) == [512])
        #expect(try migrated.reencode(reencoding).cells == 900 - 512)
        let last = try Store.trial(at: fixture.folder.file(), transformers: fixture.registry)
        let values = try last.read { try $0.fetch("Patient").map { try $0.value("ssn", as: String.self) } }
        #expect(Set(values) == Set((0..<900).map(String.init)))
        #expect(try last.verify().isSound)
    }
}
