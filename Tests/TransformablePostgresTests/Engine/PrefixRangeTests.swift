import Foundation
import Testing
import TransformableModel
import TransformableStore

@testable import TransformablePostgres  // The SQL of an engine is internal.

/// Text that begins with a prefix, which an index finds by its range in all versions of PostgreSQL.
@Suite struct PrefixRangeTests {
    @Test(
        arguments: [
            ("a", "b"), ("ab", "ac"), ("é", "ê"), ("a\u{D7FF}", "a\u{E000}"), ("a\u{10FFFF}", "b"),
            ("\u{10FFFF}\u{10FFFF}", nil),
        ] as [(String, String?)]
    )
    func aPrefixIsARange(prefix: String, end: String?) {
        let range = TextSQL.postgres.begins("\"name\"", prefix)
        #expect(range.values == [prefix, end].compactMap(\.self).map(ColumnValue.text))
        #expect(range.text == (end == nil ? "\"name\" >= ?" : "(\"name\" >= ? AND \"name\" < ?)"))
    }

    /// The names are in the order of their scalars.
    @Test(
        arguments: EnginePlace.all,
        [
            ("a", ["a", "a\u{D7FF}", "a\u{E000}", "a\u{10FFFF}", "a\u{10FFFF}b"]), ("a\u{D7FF}", ["a\u{D7FF}"]),
            ("a\u{10FFFF}", ["a\u{10FFFF}", "a\u{10FFFF}b"]), ("\u{10FFFF}", ["\u{10FFFF}", "\u{10FFFF}b"]),
        ] as [(String, [String])]
    )
    func prefixesAreFound(_ kind: EnginePlace.Kind, search: (String, [String])) throws {
        let (prefix, found) = search
        let model = try Model(entities: [EntityDescription("Item", attributes: [.string("name", .indexed)])])
        let store = try EnginePlace(kind).open(model)
        let names = [
            "A", "a", "a\u{D7FF}", "a\u{E000}", "a\u{10FFFF}", "a\u{10FFFF}b", "b", "\u{10FFFF}", "\u{10FFFF}b",
        ]
        try store.write { context in
            for name in names { try context.insert("Item").setValue(name, for: "name") }
        }
        let condition = Field("name").starts(with: prefix)
        let result = try store.read { context in
            try context.fetch("Item", where: condition).map { try $0.value("name", as: String.self) }
        }
        #expect(result == found)
    }
}
