import Foundation
import GRDB
import Testing
import Transformable
import TransformableSQLite
import TransformableStore

/// An unencrypted column must not reveal a confidential attribute unless the model allows it.
@Suite struct RevealingProjectionTests {
    private let fixture: ReencodingFixture

    init() throws {
        fixture = try ReencodingFixture()
    }

    /// A text with an expression, and a column that reveals its bytes.
    private func text(_ expression: String, revealing reveals: Bool = false) -> AttributeDescription {
        var text = ReencodingFixture.text(expression)
        text.projections = [ProjectionDescription("shown", "text", reveals: reveals)]
        return text
    }

    private func compound(reveals: Bool) throws -> Model {
        try Model(entities: [
            EntityDescription(
                "Note",
                attributes: [ReencodingFixture.text("text | bound"), .string("title")],
                projections: [CompoundProjection("both", of: ["text", "title"], "stamp", reveals: reveals)]
            )
        ])
    }

    @Test func rejectsRevealingProjectionsInANewStore() throws {
        let error = #expect(throws: StoreError.self) { try fixture.open(text("text | bound")) }
        #expect(error?.code == .revealingProjection)
        #expect(error?.attribute == "shown")
        #expect(error?.message.contains("reveals") == true)
        #expect(throws: StoreError(code: .revealingProjection)) {
            try Store.validate(fixture.model(text("text | bound")), transformers: fixture.registry)
        }
        #expect(throws: StoreError(code: .revealingProjection)) {
            try Store.inMemory(model: compound(reveals: false), transformers: fixture.registry)
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: fixture.folder.url.path) == [])
        // No option for opening allows them.
        #expect(throws: StoreError(code: .revealingProjection)) {
            try fixture.open(text("text | bound"), .init(opening: .create, unresolved: .keepBytes))
        }
    }

    @Test func acceptsRevealingProjectionsIfTheModelAllowsThem() throws {
        let model = try fixture.model(text("text | bound", revealing: true))
        let read = try Model(json: model.json)
        #expect(read.entity("Note")?.attribute("text")?.projections == text("text", revealing: true).projections)
        #expect(String(decoding: model.json, as: UTF8.self).contains("\"reveals\" : true"))
        let store = try fixture.open(text("text | bound", revealing: true))
        try store.addNotes(["a"])
        #expect(try store.texts == ["a"])
        _ = try Store.inMemory(model: compound(reveals: true), transformers: fixture.registry)
    }

    // The key is that of one of the transformers that it is made of.
    @Test func acceptsAKeyedProjectionThatIsCombinedInCode() throws {
        var text = ReencodingFixture.text("text | bound")
        text.projections = [ProjectionDescription("shown", "text-blind")]
        let store = try fixture.open(text)
        try store.addNotes(["a"])
        #expect(try store.indexKeys().values.map(\.self) == [["7"]])
    }

    @Test func modelsInCodeHaveAnOption() {
        let attribute = AttributeDescription.transformed(
            "text",
            "text | bound",
            as: String.self,
            .projected("lowercase", .revealing),
            .projected("blind", as: "finder", indexed: false)
        )
        #expect(attribute.projections.map(\.reveals) == [true, false])
    }

    @Test(arguments: [false, true])
    func revealingProjectionsPreventSealing(reveals: Bool) throws {
        let store = try fixture.open(text("text", revealing: reveals))
        try store.addNotes(["a", "b"])
        let seal = Reencoding("text", of: "Note", to: .transformer("text | bound"))
        guard !reveals else {
            try store.reencode(seal)
            return
        }
        #expect(throws: StoreError(code: .revealingProjection)) { try store.reencode(seal) }
        #expect(throws: StoreError(code: .revealingProjection)) { try store.rehearse(seal) }
        #expect(try store.texts == ["a", "b"])
        #expect(try !fixture.columns().contains { $0.hasPrefix("_reencoded") })
    }

    @Test func migrationThatSealsCanDropProjections() throws {
        let store = try fixture.open(text("text"))
        try store.addNotes(["a", "b"])
        try store.close()
        let options = Store.Options(changedTransformers: .reencode)
        #expect(throws: StoreError(code: .revealingProjection)) {
            try fixture.open(text("text | bound"), version: 2, options)
        }
        let sealed = try fixture.open(ReencodingFixture.text("text | bound"), version: 2, options)
        #expect(try sealed.texts == ["a", "b"])
        try sealed.close()
        #expect(try !fixture.columns().contains("shown"))
    }

    /// A store from before the rule was introduced, which stays readable.
    private func earlier() throws {
        let store = try fixture.open(text("text | bound", revealing: true))
        try store.addNotes(["a"])
        try store.close()
        try shell(fixture.folder.file()) { database in
            let json = try #require(try String.fetchOne(database, sql: "SELECT json FROM _transformable_model"))
            let parts = json.split(separator: "\"reveals\" : true,")
            try #require(parts.count == 2)
            try database.execute(sql: "UPDATE _transformable_model SET json = ?", arguments: [parts.joined()])
        }
    }

    @Test func readsEarlierStores() throws {
        try earlier()
        let store = try Store(at: fixture.folder.file(), transformers: fixture.registry, options: .readOnly)
        #expect(try store.texts == ["a"])
        #expect(try store.read { try $0.count("Note", where: Condition("text == 'a'")) } == 1)
    }

    @Test func writesNoRevealingProjectionsInEarlierStores() throws {
        try earlier()
        let (file, registry) = try (fixture.folder.file(), fixture.registry)
        #expect(throws: StoreError(code: .revealingProjection)) { try Store(at: file, transformers: registry) }
        let store = try Store(at: file, transformers: registry, options: .init(unresolved: .keepBytes))
        #expect(throws: StoreError(code: .revealingProjection)) { try store.addNotes(["b"]) }
        try store.write { context in
            let note = try #require(try context.fetch("Note").first)
            try note.setValue("new", for: "title")
        }
        #expect(try store.texts == ["a"])
        try store.close()
        let mended = try fixture.open(text("text | bound", revealing: true))
        try mended.addNotes(["b"])
        #expect(try mended.texts == ["a", "b"])
    }
}
