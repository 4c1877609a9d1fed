import Foundation
import Testing
import Transformable

@testable import TransformableStore

/// The rows of pending objects, as they are sent to a server along with each statement.
@Suite(.eachEngine) struct PendingRowsTests {
    private static func store() throws -> Store {
        let entity = EntityDescription(
            "Row",
            attributes: [
                .int16("small", .optional), .integer("whole", .optional), .boolean("flag", .optional),
                .double("real", .optional), .decimal("price", .optional), .string("name", .optional),
                .uuid("key", .optional), .date("day", .optional), .data("bytes", .optional), .url("link", .optional),
            ],
            relationships: [.toOne("next", "Row", inverse: "previous"), .toMany("previous", "Row")]
        )
        return try Store.trial(model: Model(entities: [entity]), transformers: TransformerRegistry {})
    }

    private static let values = [
        ("small", "-3"), ("whole", "9223372036854775807"), ("flag", "true"), ("real", "0.1"), ("price", "1.50"),
        ("name", "Zoë"), ("key", "8F5C1BC1-71D4-4C3C-9D7B-60A9F2B0A3C5"), ("day", "2001-01-01T00:00:00.5Z"),
        ("link", "https://example.com/a"),
    ]

    private static let tests = [
        "small == -3", "whole == 9223372036854775807", "flag", "real == 0.1", "price == 1.5", "name == \"Zoë\"",
        "key == \"8F5C1BC1-71D4-4C3C-9D7B-60A9F2B0A3C5\"", "day < 2001-01-02", "bytes != null",
        "link == \"https://example.com/a\"", "next.name == \"Zoë\"", "any previous (flag)", "name == null",
    ]

    private static func found(_ context: StoreContext) throws -> [[Int64]] {
        try tests.map { try context.ids("Row", where: Condition($0)).map(\.number) }
    }

    /// An empty object is first, so that a later one decides the types of the columns if nothing else does.
    @Test func pendingRowsHaveTheTypesOfTheirColumns() throws {
        let store = try Self.store()
        let ids = try store.write { context in try (0..<3).map { _ in try context.insert("Row").id } }
        let context = store.makeContext()
        let new = [try context.insert("Row"), try context.insert("Row")]
        let old = try ids.map(context.object)
        for object in [new[1], old[1]] {
            for (name, text) in Self.values { try object.setValue(text: text, for: name) }
            try object.setValue(Data([0, 255]), for: "bytes")
        }
        try old[2].setValue("Zoë", for: "name")
        try new[0].setObject(old[1], for: "next")
        try context.delete(old[0])
        let before = try Self.found(context)
        #expect(before.map(\.count) == [2, 2, 2, 2, 2, 3, 2, 2, 2, 2, 1, 0, 1])
        try context.save()
        #expect(try Self.found(context) == before)
    }

    /// PostgreSQL takes seconds to plan a union of a thousand parts.
    @Test func pendingRowsAreFewStatements() throws {
        let store = try Self.store()
        try store.insert(many: 0..<100, into: "Row") { _, _ in }
        let context = store.makeContext()
        let old = try context.fetch("Row")
        for object in old[..<50] { try object.setValue("a", for: "name") }
        for object in old[50...] { try object.setValue(1, for: "whole") }
        let new = try (0..<100).map { _ in try context.insert("Row") }
        let rows = PendingRows(of: try store.schema.entity("Row"), ["_id", "name", "whole"])
        #expect(rows.new(new).count == 1)
        #expect(rows.changed(old).count == 2)
        #expect(rows.new([]).isEmpty && rows.changed([]).isEmpty)
        #expect(try context.count("Row", where: Condition("name == \"a\" or whole == 1")) == 100)
    }
}
