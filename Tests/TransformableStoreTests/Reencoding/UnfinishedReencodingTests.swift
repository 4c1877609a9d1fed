import Foundation
import GRDB
import Testing
import Transformable
import TransformableStore

/// Unfinished re-encodings, and what they leave behind.
@Suite(.eachEngine, .alsoWithTenants) struct UnfinishedReencodingTests {
    private static let secret = "canary of a secret"
    private static let sealed = ReencodingFixture.text("text | bound")

    private let fixture: ReencodingFixture

    init() throws {
        fixture = try ReencodingFixture()
    }

    private struct Interruption: Error {}

    /// A store of notes whose re-encoding stops after its first transaction, as if its process had been killed.
    private func interrupted(_ attribute: AttributeDescription, _ target: Reencoding.Target) throws -> Store {
        let store = try fixture.open(attribute)
        try store.addNotes((0..<600).map { "\(Self.secret) \($0)" })
        #expect(throws: Interruption.self) {
            try store.reencode(Reencoding("text", of: "Note", to: target)) { _ in throw Interruption() }
        }
        return store
    }

    /// The files that contain a piece of a value.
    private func exposed() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: fixture.folder.url.path).sorted()
            .filter { try Data(contentsOf: fixture.folder.file($0)).range(of: Data(Self.secret.utf8)) != nil }
    }

    private func jobs() throws -> Int? {
        try Trial.cells("SELECT \"id\" FROM \"_transformable_job\"", in: fixture.folder.file()).count
    }

    // The plan's batch size is 512 cells per transaction.
    @Test(.sqliteOnly("Scrubbing is for files.")) func listsReencodingsWithTheirPendingValues() throws {
        let store = try interrupted(Self.sealed, .plain)
        #expect(try exposed() != [])
        let unfinished = try #require(try store.unfinishedReencodings().first)
        #expect(unfinished.entity == "Note" && unfinished.attribute == "text")
        #expect(unfinished.waitingCount == 512)
        #expect(unfinished.isExposed)
        #expect(unfinished.description.contains("512 values wait in the file unencrypted"))
        #expect(unfinished.description.contains("--abort"))
        let found = try store.verify()
        #expect(found.isSound)
        #expect(found.unfinishedReencodings == [unfinished])
        #expect(try store.scrub() == ["Note.text": 512])
    }

    @Test(.sqliteOnly("Scrubbing is for files.")) func abortLeavesNoTrace() throws {
        let store = try interrupted(Self.sealed, .plain)
        let before = try fixture.cells()
        #expect(try store.abortReencodings { $0.attribute != "text" }.list == [])
        let aborted = try store.abortReencodings(sampling: 100)
        #expect(aborted.list.map(\.waitingCount) == [512])
        #expect((50...100).contains(aborted.canaries.count))
        #expect(try store.scrub(searchingFor: aborted.canaries) == [:])
        #expect(try exposed() == [])
        #expect(try fixture.cells() == before)
        #expect(try !fixture.columns().contains { $0.hasPrefix("_reencoded") })
        #expect(try jobs() == 0)
        #expect(try store.unfinishedReencodings() == [])
        #expect(try store.abortReencodings().list == [])
        #expect(try store.texts.count == 600)
        // The same re-encoding can be started again.
        #expect(try store.reencode(Reencoding("text", of: "Note", to: .plain)).cells == 600)
    }

    // By hand: one of 600 cells is damaged, so 599 new ones have been written when the run fails.
    @Test func rejectedReencodingsLeaveNothingBehind() throws {
        let store = try fixture.open(Self.sealed)
        try store.addNotes((0..<600).map { "\(Self.secret) \($0)" })
        try Trial.run(
            "UPDATE \"Note\" SET \"text\" = \(Trial.bytes("00ff")) WHERE \"_id\" = 580",
            in: fixture.folder.file()
        )
        let before = try fixture.cells()
        let error = #expect(throws: StoreError(code: .undecodable)) {
            try store.reencode(Reencoding("text", of: "Note", to: .plain))
        }
        // Pages that were split still contain some of them.
        let scrub = "“store reseal --abort --scrub” (in code: “scrub()”)"
        let remedy = EachEngine.current == .sqlite ? scrub : "VACUUM FULL"
        #expect(error?.faults.last?.hasSuffix(remedy) == true)
        if EachEngine.current == .sqlite { try store.scrub() }
        #expect(try jobs() == 0)
        #expect(try store.unfinishedReencodings() == [])
        #expect(try exposed() == [])
        #expect(try fixture.cells() == before)
        #expect(try !fixture.columns().contains { $0.hasPrefix("_reencoded") })
    }

    @Test(.sqliteOnly("Scrubbing is for files.")) func sealedValuesExposeNothing() throws {
        let store = try interrupted(ReencodingFixture.text("text"), .transformer("text | bound"))
        let unfinished = try #require(try store.unfinishedReencodings().first)
        #expect(unfinished.waitingCount == 512)
        #expect(!unfinished.isExposed)
        #expect(try store.scrub() == [:])
        #expect(try store.abortReencodings().list == [unfinished])
        #expect(try store.texts.count == 600)
    }

    @Test func sameTransformerReplacesValuesInPlace() throws {
        let store = try interrupted(Self.sealed, .same)
        #expect(try store.unfinishedReencodings().map(\.waitingCount) == [0])
        try store.abortReencodings()
        #expect(try jobs() == 0)
        #expect(try store.texts.count == 600)
    }

    @Test func findsReencodingsWithoutAJob() throws {
        let store = try interrupted(Self.sealed, .plain)
        try store.close()
        try Trial.run("DELETE FROM \"_transformable_job\"", in: fixture.folder.file())
        let again = try fixture.open(Self.sealed)
        #expect(try again.unfinishedReencodings().map(\.isExposed) == [true])
        try again.abortReencodings()
        try again.close()
        #expect(try exposed() == [])
    }

    // Nothing says which transformer has written the values that wait.
    @Test func valuesOfAnUnknownReencodingAreNotUsed() throws {
        let store = try interrupted(Self.sealed, .transformer("text | bound(key: 5)"))
        try store.close()
        try Trial.run("DELETE FROM \"_transformable_job\"", in: fixture.folder.file())
        let again = try fixture.open(Self.sealed)
        try again.reencode(Reencoding("text", of: "Note", to: .transformer("text | bound(key: 9)")))
        try again.close()
        let texts = try fixture.open(ReencodingFixture.text("text | bound(key: 9)")).texts
        #expect(texts == (0..<600).map { "\(Self.secret) \($0)" })
    }

    /// A newer model, in which nothing has the names of the attribute and its entity that the file has.
    struct Successor: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let entity: EntityDescription
    }

    private static let title = AttributeDescription.string("title", .default(""))

    private static var renamed: EntityDescription {
        var entity = EntityDescription("Record", attributes: [sealed, title])
        entity.renamedFrom = "Note"
        return entity
    }

    private static let successors = [
        Successor(testDescription: "no entity", entity: EntityDescription("Other", attributes: [title])),
        Successor(testDescription: "no attribute", entity: EntityDescription("Note", attributes: [title])),
        Successor(testDescription: "a renamed entity", entity: renamed),
        Successor(
            testDescription: "a renamed attribute",
            entity: EntityDescription(
                "Note",
                attributes: [
                    .transformed("body", "text | bound", as: String.self, .optional, .renamed(from: "text")), title,
                ]
            )
        ),
    ]

    private func migrated(to entity: EntityDescription) throws -> Store {
        try Store.trial(
            at: fixture.folder.file(),
            model: Model(version: 2, entities: [entity]),
            transformers: fixture.registry
        )
    }

    @Test(arguments: successors, [Reencoding.Target.plain, .same])
    func migrationsEndReencodingsThatNoOneCanContinue(successor: Successor, target: Reencoding.Target) throws {
        try interrupted(Self.sealed, target).close()
        let store = try migrated(to: successor.entity)
        #expect(try store.unfinishedReencodings() == [])
        #expect(try jobs() == 0)
        #expect(try store.verify().isSound)
    }

    @Test func otherMigrationsKeepReencodings() throws {
        try interrupted(Self.sealed, .same).close()
        let entity = EntityDescription("Note", attributes: [Self.sealed, Self.title, .string("label", .optional)])
        let store = try migrated(to: entity)
        #expect(try store.unfinishedReencodings().map(\.attribute) == ["text"])
        #expect(try store.reencode(Reencoding("text", of: "Note")).cells == 600 - 512)
    }

    // The new values are dropped along with the former table. Some builds of SQLite overwrite them in any case.
    @Test(.sqliteOnly("The disk of a server is not ours.")) func otherMigrationsOverwriteTheNewValues() throws {
        try interrupted(Self.sealed, .plain).close()
        #expect(try exposed() != [])
        let entity = EntityDescription("Note", attributes: [Self.sealed, Self.title, .string("label", .optional)])
        try migrated(to: entity).close()
        #expect(try exposed() == [])
    }

    @Test func otherMigrationsKeepReencodingsOfParts() throws {
        func open(_ version: Int, _ extra: AttributeDescription...) throws -> Store {
            let zip = AttributeDescription.transformed("zip", "text | bound", as: String.self)
            let home = CompositeDescription("home", parts: [zip])
            let entity = EntityDescription("Place", attributes: extra, composites: [home])
            let model = try Model(version: version, entities: [entity])
            return try Store.trial(at: fixture.folder.file(), model: model, transformers: fixture.registry)
        }
        let store = try open(1)
        try store.insert(many: 0..<600, into: "Place") { try $0.setValue("\($1)", for: "home_zip") }
        let reencoding = Reencoding("home_zip", of: "Place")
        #expect(throws: Interruption.self) { try store.reencode(reencoding) { _ in throw Interruption() } }
        try store.close()
        let migrated = try open(2, .string("label", .optional))
        #expect(try migrated.unfinishedReencodings().map(\.attribute) == ["home_zip"])
        #expect(try migrated.reencode(reencoding).cells == 600 - 512)
    }

    @Test func abortNotifiesTheOtherProgram() throws {
        let store = try fixture.open(Self.sealed)
        try store.addNotes((0..<600).map { "\(Self.secret) \($0)" })
        let other = try fixture.open(Self.sealed)
        let error = #expect(throws: StoreError.self) {
            try store.reencode(Reencoding("text", of: "Note", to: .plain)) { _ in try other.abortReencodings() }
        }
        #expect(error?.code == .conflict)
        #expect(error?.message.contains("finished or aborted") == true)
        #expect(error?.message.hasSuffix("repeat it if it is still needed") == true)
        #expect(try fixture.open(Self.sealed).texts.count == 600)
    }

    // MARK: - Dropped entities

    private func openWithoutNotes() throws -> Store {
        let model = try Model(version: 2, entities: [EntityDescription("Other", attributes: [.string("name")])])
        return try Store.trial(at: fixture.folder.file(), model: model, transformers: fixture.registry)
    }

    private func columnsAside() throws -> [String] {
        try Trial.columns(of: "_dropped.Note.1", in: fixture.folder.file())
    }

    /// On a server, the type of the new cells is another one than that of the old cells.
    @Test(
        arguments: [
            (sealed, .plain), (.string("text", .optional), .transformer("text | bound")),
        ] as [(AttributeDescription, Reencoding.Target)]
    )
    func droppingTheEntityDiscardsNewCells(_ attribute: AttributeDescription, _ target: Reencoding.Target) throws {
        try interrupted(attribute, target).close()
        let next = try openWithoutNotes()
        #expect(try Set(columnsAside()) == ["_id", "_version", "text", "title"])
        try next.abortReencodings()
        #expect(try next.unfinishedReencodings() == [])
        #expect(try next.verify().isSound)
    }

    /// Earlier versions set aside the new cells as well.
    @Test func newCellsThatWereSetAsideAreDiscarded() throws {
        let store = try fixture.open(Self.sealed)
        try store.addNotes(["old"])
        try store.close()
        try openWithoutNotes().close()
        let file = fixture.folder.file()
        let sql = "SELECT \"id\" FROM \"_transformable_attribute\" WHERE \"name\" = 'text'"
        let id = try Trial.cells(sql, in: file).first?.first
            .flatMap { value -> Int64? in
                if case .integer(let number) = value { number } else { nil }
            }
        let (table, shadow) = ("_dropped.Note.1", try "\"_reencoded.\(#require(id))\" TEXT")
        try Trial.run("ALTER TABLE \"\(table)\" ADD COLUMN \(shadow)", in: file)
        if EachEngine.current == .postgres {
            let definition = "regexp_replace(\"sql\", '\\)$', ', \(shadow))')"
            let record = "UPDATE \"_transformable_schema\" SET \"sql\" = \(definition) WHERE \"name\" = '\(table)'"
            try Trial.run(record, in: file)
        }
        #expect(try columnsAside().count == 5)
        try openWithoutNotes().abortReencodings()
        #expect(try Set(columnsAside()) == ["_id", "_version", "text", "title"])
    }

    /// Triggers require values in a column that a re-encoding has replaced, and must be kept.
    @Test(.sqliteOnly("SQLite’s shell uses the file."), arguments: [false, true])
    func requiredAttributesStayRequired(isAborted: Bool) throws {
        var required = AttributeDescription.transformed("text", "text", as: String.self)
        let store = try fixture.open(required)
        try store.addNotes((0..<600).map { "\(Self.secret) \($0)" })
        try store.reencode(Reencoding("text", of: "Note", to: .transformer("text | bound")))
        try store.close()
        required.transformer = "text | bound"
        let sealed = try fixture.open(required)
        #expect(throws: Interruption.self) {
            try sealed.reencode(Reencoding("text", of: "Note", to: .plain)) { _ in throw Interruption() }
        }
        if isAborted {
            try sealed.abortReencodings()
        } else {
            // Another target discards the first one.
            try sealed.reencode(Reencoding("text", of: "Note"))
        }
        try sealed.close()
        _ = try shell(fixture.folder.file()) { database in
            #expect(throws: DatabaseError.self) { try database.execute(sql: "UPDATE Note SET text = NULL") }
        }
    }
}
