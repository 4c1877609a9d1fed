import Foundation
import GRDB
import Testing
import Transformable
import TransformableStore

/// Re-encodings of rows whose numbers the store itself does not assign.
@Suite struct ReencodedNumberTests {
    private static let numbers: [Int64] = [.min, -5, 0, 1, .max]

    /// A store of notes with the given numbers, which are also their texts.
    private func makeFixture() throws -> ReencodingFixture {
        let fixture = try ReencodingFixture()
        try fixture.open(ReencodingFixture.text("text", projected: "text | blind")).close()
        try shell(fixture.folder.file()) { database in
            for number in Self.numbers {
                try database.execute(
                    sql: "INSERT INTO Note (_id, title, text) VALUES (?, '', CAST(? AS BLOB))",
                    arguments: [number, "\(number)"]
                )
            }
        }
        return fixture
    }

    @Test func rowsWithAllNumbersKeepTheirValues() throws {
        let fixture = try makeFixture()
        let store = try fixture.open(ReencodingFixture.text("text", projected: "text | blind"))
        let reencoding = Reencoding("text", of: "Note", to: .transformer("text | bound"))
        #expect(try store.rehearse(reencoding).cells == 5)
        #expect(try store.reencode(reencoding).cells == 5)
        try store.close()
        let changed = try fixture.open(ReencodingFixture.text("text | bound", projected: "text | blind"))
        #expect(try Set(changed.texts.compactMap(\.self)) == Set(Self.numbers.map { "\($0)" }))
    }

    @Test func indexesAllNumbersWithTheNewKey() throws {
        var fixture = try makeFixture()
        fixture.keys = [8, 7]
        let store = try fixture.open(ReencodingFixture.text("text", projected: "text | blind"))
        #expect(try store.reencode(Reencoding("text", of: "Note")).cells == 5)
        try store.close()
        fixture.keys = [8]
        let new = try fixture.open(ReencodingFixture.text("text", projected: "text | blind"))
        #expect(try new.read { try $0.count("Note", where: Field("text") == "-5") } == 1)
    }
}
