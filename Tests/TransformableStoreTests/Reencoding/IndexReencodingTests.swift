import Testing
import Transformable
import TransformableStore

/// Re-encodings of attributes, which compute their indexes again.
@Suite(.eachEngine) struct IndexReencodingTests {
    @Test(arguments: [[9, 7], [9]] as [[Int64]])
    func reencodingAPlainPartRebuildsTheIndexOfSeveralAttributes(keys: [Int64]) throws {
        let folder = try Folder()
        func open(_ keys: [Int64]) throws -> Store {
            let registry = try TransformerRegistry {
                Registration.text
                Registration("blind", KeyedBlindTransformer(keys: keys))
            }
            let note = EntityDescription(
                "Note",
                attributes: [.string("text"), .string("title", .default("t"))],
                projections: [CompoundProjection("both", of: ["text", "title"], "blind")]
            )
            return try Store.trial(at: folder.file(), model: Model(entities: [note]), transformers: registry)
        }
        try open([7]).addNotes(["a"])
        let cells = { try Trial.cells("SELECT \"both\" FROM \"Note\"", in: folder.file()) }
        let before = try cells()
        try open([9, 7]).close()
        let store = try open(keys)
        try store.reencode(Reencoding("title", of: "Note"))
        #expect(try cells() != before)
        #expect(try store.read { try $0.indexKeys() } == ["Note.both": ["9"]])
        #expect(try open([9]).verify().isSound)
    }

    // As the command line does, if an app has plugins of its own.
    @Test func reencodesIndexesBesideOneThatCannotBeComputed() throws {
        let folder = try Folder()
        func open(_ keys: [Int64], hasPlugin: Bool) throws -> Store {
            let registry = try TransformerRegistry {
                Registration.text
                Registration("bound", BoundTransformer(key: 42))
                Registration("blind", KeyedBlindTransformer(keys: keys))
                if hasPlugin { Registration("own", KeyedBlindTransformer(keys: [1])) }
            }
            var text = ReencodingFixture.text("text | bound", projected: "text | blind")
            text.projections.append(ProjectionDescription("other", "text | own"))
            let model = try Model(entities: [EntityDescription("Note", attributes: [text])])
            let options = Store.Options(unresolved: hasPlugin ? .refuse : .keepBytes)
            return try Store.trial(at: folder.file(), model: model, transformers: registry, options: options)
        }
        try open([7], hasPlugin: true).addNotes(["a"])
        let cells = { try Trial.cells("SELECT \"finder\", \"other\" FROM \"Note\"", in: folder.file()) }
        // (7 * 31 + 97) % 256 and (1 * 31 + 97) % 256
        #expect(try cells() == [[.integer(58), .integer(128)]])
        let store = try open([9, 7], hasPlugin: false)
        #expect(try store.reencode(Reencoding("text", of: "Note")).cells == 1)
        #expect(try cells() == [[.integer(120), .integer(128)]])
        let keys = try store.read { try $0.indexKeys() }
        #expect(keys == ["Note.finder": ["9"], "Note.other": ["1"]])
    }
}
