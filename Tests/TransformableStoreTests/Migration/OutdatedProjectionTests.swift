import Foundation
import GRDB
import Testing
import Transformable
import TransformableStore

/// A projection is computed again only from values that can be read.
@Suite(.eachEngine) struct OutdatedProjectionTests {
    private static let former = ReencodingFixture.text("text | bound", projected: "text | blind")

    private struct Column: Equatable {
        let fingerprint: String?
        let keys: String?
        let cells: [DatabaseValue]
    }

    private func column(_ fixture: ReencodingFixture) throws -> Column {
        try shell(fixture.folder.file()) { database in
            let row = try Row.fetchOne(database, sql: "SELECT fingerprint, keys FROM _transformable_projection")
            let cells = try Row.fetchAll(database, sql: "SELECT finder FROM Note ORDER BY _id")
                .map { $0[0] as DatabaseValue }
            return Column(fingerprint: row?["fingerprint"], keys: row?["keys"], cells: cells)
        }
    }

    private func damage(_ fixture: ReencodingFixture, _ sql: String) throws {
        try shell(fixture.folder.file()) { try $0.execute(sql: sql) }
    }

    private static let stale = "UPDATE _transformable_projection SET fingerprint = 'former'"

    private func count(_ store: Store, _ condition: String) throws -> Int {
        let condition = try Condition(condition)
        return try store.read { try $0.count("Note", where: condition) }
    }

    private func made() throws -> ReencodingFixture {
        let fixture = try ReencodingFixture()
        let store = try fixture.open(Self.former)
        try store.addNotes(["a", "b"])
        try store.close()
        return fixture
    }

    @Test(.sqliteOnly("SQLite’s shell uses the file.")) func withoutItsKeyTheColumnStaysAndConditionsAreRejected()
        throws
    {
        var fixture = try made()
        try damage(fixture, Self.stale)
        let before = try column(fixture)
        fixture.keys = []
        let store = try fixture.open(Self.former)
        #expect(try column(fixture) == before)
        let error = #expect(throws: StoreError.self) { try count(store, "finder == 1") }
        #expect(error?.code == .signatureMismatch)
        #expect(error?.message.contains("open the store for writing with the keys of all values") == true)
        // The values themselves decide where nothing narrows them down.
        #expect(try count(store, "text == 'a'") == 1)
        #expect(throws: StoreError(code: .signatureMismatch)) { try store.addNotes(["c"]) }
        #expect(try store.verify().outdatedProjections == ["Note.finder"])
        try store.close()
        fixture.keys = [7]
        let mended = try fixture.open(Self.former)
        #expect(try count(mended, "text == 'a'") == 1)
        #expect(try column(fixture).fingerprint != "former")
        #expect(try mended.verify().outdatedProjections == [])
    }

    @Test(.sqliteOnly("SQLite’s shell uses the file.")) func oneDamagedCellKeepsTheColumn() throws {
        let fixture = try made()
        try damage(fixture, Self.stale + "; UPDATE Note SET text = x'00' WHERE _id = 2")
        let before = try column(fixture)
        let store = try fixture.open(Self.former)
        #expect(try column(fixture) == before)
        #expect(throws: StoreError(code: .signatureMismatch)) { try count(store, "finder == 1") }
        try store.write { try $0.object(ObjectID(entity: "Note", number: 2)).replaceValue(String?.none, for: "text") }
        try store.close()
        #expect(try count(fixture.open(Self.former), "text == 'a'") == 1)
        #expect(try column(fixture).fingerprint != "former")
    }

    // An index on a column that is kept must still be there.
    @Test(.sqliteOnly("SQLite’s shell uses the file.")) func theIndexOfTheColumnStays() throws {
        var description = Self.former
        description.projections = [ProjectionDescription("finder", "text | blind", indexed: true)]
        var fixture = try ReencodingFixture()
        try fixture.open(description).addNotes(["a"])
        let indexes = "SELECT name || coalesce(sql, '') FROM sqlite_master WHERE type = 'index' ORDER BY 1"
        let before = try shell(fixture.folder.file()) { try String.fetchAll($0, sql: indexes) }
        try damage(fixture, Self.stale)
        fixture.keys = []
        try fixture.open(description).close()
        #expect(try shell(fixture.folder.file()) { try String.fetchAll($0, sql: indexes) } == before)
        #expect(!before.isEmpty)
    }

    @Test(.sqliteOnly("SQLite’s shell uses the file.")) func resealingLeavesAnOutdatedProjectionForTheNextOpening()
        throws
    {
        let fixture = try made()
        try damage(fixture, Self.stale + "; UPDATE Note SET text = x'00' WHERE _id = 2")
        let before = try column(fixture)
        let store = try fixture.open(Self.former)
        #expect(try store.reencode(Reencoding("text", of: "Note")).cells == 1)
        #expect(try column(fixture) == before)
    }

    @Test(.sqliteOnly("SQLite’s shell uses the file.")) func readOnlyStoresRejectConditionsToo() throws {
        let fixture = try made()
        try damage(fixture, Self.stale)
        let store = try fixture.open(Self.former, .readOnly)
        #expect(throws: StoreError(code: .signatureMismatch)) { try count(store, "finder == 1") }
        try store.close()
        #expect(try column(fixture).fingerprint == "former")
        #expect(try FileManager.default.contentsOfDirectory(atPath: fixture.folder.url.path) == ["test.sqlite"])
    }
}
