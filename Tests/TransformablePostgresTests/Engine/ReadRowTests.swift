import Foundation
import Testing
import TransformableModel
import TransformablePostgres
import TransformableStore
import _PostgresServer

/// How many rows the server reads to answer a fetch.
@Suite struct ReadRowTests {
    typealias Place = EnginePlace

    /// Most objects have no value, and are sorted by their numbers.
    @Test(
        .needsPostgres,
        arguments: [[.ascending("rank")], [.ascending("group"), .descending("rank")]] as [[SortKey]]
    )
    func theFirstOfManyEqualObjectsAreFoundByAnIndex(order: [SortKey]) throws {
        let place = try Place(.postgres)
        let entry = EntityDescription(
            "Entry",
            attributes: [.int64("rank", .indexed, .optional), .string("group", .optional)],
            indexes: [[.ascending("group"), .descending("rank")]]
        )
        let store = try place.open(Model(entities: [entry]))
        try store.insert(many: 1...3000 as ClosedRange<Int64>, into: "Entry") { entry, number in
            if number > 2990 { try entry.setValue(number, for: "rank") }
            if number > 2980 { try entry.setValue("a", for: "group") }
        }
        try PostgresServer.connect().run(script: "ANALYZE \"\(place.name)\".\"Entry\"")
        try store.read { (context: StoreContext) throws in
            let before = try Self.readCount(of: place, context)
            #expect(try context.fetch("Entry", sortedBy: order, limit: 3).map(\.id.number) == [1, 2, 3])
            let after = try Self.readCount(of: place, context)
            #expect(after - before < 100)
        }
    }

    /// The number of rows of objects that the current transaction has read.
    private static func readCount(of place: Place, _ context: StoreContext) throws -> Int64 {
        let sql = """
            SELECT sum(coalesce("seq_tup_read", 0) + coalesce("idx_tup_fetch", 0))::bigint AS "count"
            FROM "pg_stat_xact_user_tables" WHERE "relname" IN ('Cat', 'Dog', 'Entry') AND "schemaname" = ?
            """
        let row = try #require(try context.rows(sql, arguments: [place.name]).first)
        return try row.value("count", as: Int64.self)
    }

    /// Returns a store with 3,000 entries, whose names have 6 to 9 characters.
    private static func entries(in place: Place) throws -> Store {
        let attributes: [AttributeDescription] = [
            .int64("position", .indexed), .string("name", .indexed), .string("note", .optional),
        ]
        let store = try place.open(Model(entities: [EntityDescription("Entry", attributes: attributes)]))
        try store.insert(many: 0..<3000 as Range<Int64>, into: "Entry") { entry, number in
            try entry.setValue(number, for: "position")
            try entry.setValue("name \(number)", for: "name")
        }
        guard place.kind == .postgres else { return store }
        try PostgresServer.connect().run(script: "ANALYZE \"\(place.name)\".\"Entry\"")
        return store
    }

    /// Swift decides about text beyond ASCII, but not all rows are sent to it.
    @Test(
        .needsPostgres,
        arguments: ["name startsWith \"name\"", "name contains \"name\"", "name.@length > 5"],
        [[.ascending("position")], [.descending("name")]] as [[SortKey]]
    )
    func aConditionThatSwiftDecidesReadsFewRows(text: String, order: [SortKey]) throws {
        let place = try Place(.postgres)
        let store = try Self.entries(in: place)
        let condition = try Condition(text)
        try store.read { (context: StoreContext) throws in
            let before = try Self.readCount(of: place, context)
            #expect(try context.fetch("Entry", where: condition, sortedBy: order, limit: 3).count == 3)
            #expect(try context.exists("Entry", where: condition))
            let after = try Self.readCount(of: place, context)
            #expect(after - before < 1000)
        }
    }

    /// Only the rows that are sorted may contain text that has to be sorted in Swift.
    @Test(.needsPostgres, arguments: ["position == 7", "position < 3", "position in (1, 2)"])
    func aSortByTextWithoutAnIndexReadsFewRows(text: String) throws {
        let place = try Place(.postgres)
        let store = try Self.entries(in: place)
        let condition = try Condition(text)
        try store.read { (context: StoreContext) throws in
            let before = try Self.readCount(of: place, context)
            #expect(try !context.fetch("Entry", where: condition, sortedBy: [.ascending("note")]).isEmpty)
            #expect(try context.aggregate("Entry", [.count], where: condition, groupedBy: ["note"]).count == 1)
            let after = try Self.readCount(of: place, context)
            #expect(after - before < 100)
        }
    }

    /// The bytes of the second note begin with “e”, but it is sorted as “é”.
    @Test(arguments: EnginePlace.all, ["position < 4", "name startsWith \"name\" and position < 4"])
    func aSortByTextFindsTextThatIsNotComposed(_ kind: Place.Kind, text: String) throws {
        let store = try Self.entries(in: Place(kind))
        let notes = ["\u{E9}1", "e\u{301}2", "\u{E9}3", "z"]
        try store.write { context in
            for (note, entry) in zip(notes, try context.fetch("Entry", sortedBy: [.ascending("position")], limit: 4)) {
                try entry.setValue(note, for: "note")
            }
        }
        let condition = try Condition(text)
        let sorted = try store.read { context in
            try context.fetch("Entry", where: condition, sortedBy: [.descending("note")], limit: 3)
                .map { try $0.value("note", as: String.self) }
        }
        #expect(sorted == ["\u{E9}3", "\u{E9}2", "\u{E9}1"])
    }

    /// Names of 9 characters begin with “name 1000”.
    @Test(arguments: EnginePlace.all, [0, 10, 500, 1998, 2000])
    func rowsThatSwiftRejectsAreSkipped(_ kind: Place.Kind, offset: Int) throws {
        let store = try Self.entries(in: Place(kind))
        let condition = try Condition("name.@length == 9")
        let order: [SortKey] = [.ascending("position")]
        try store.read { (context: StoreContext) throws in
            let objects = try context.fetch("Entry", where: condition, sortedBy: order, limit: 3, offset: offset)
            let found = (1000..<3000 as Range<Int64>).dropFirst(offset).prefix(3)
            #expect(try objects.map { try $0.value("position", as: Int64.self) } == Array(found))
            let ids = try context.ids("Entry", where: condition, sortedBy: order, limit: 3, offset: offset)
            #expect(ids == objects.map(\.id))
        }
    }

    /// Each of the tables has an index.
    @Test(
        .needsPostgres,
        arguments: [
            ([], ["Cat/1", "Cat/2", "Cat/3"]), ([.descending("_id")], ["Cat/2000", "Dog/2000", "Cat/1999"]),
            ([.ascending("name")], ["Cat/1999", "Dog/1999", "Cat/1989"]),
            ([.descending("rank")], ["Cat/1998", "Dog/1998", "Cat/1996"]),
        ] as [([SortKey], [String])]
    )
    func aSortedFetchOfAFamilyUsesIndexes(order: [SortKey], found: [String]) throws {
        let place = try Place(.postgres)
        let store = try Self.animals(in: place)
        try store.read { (context: StoreContext) throws in
            let before = try Self.readCount(of: place, context)
            let ids = try context.ids("Animal", sortedBy: order, limit: 2, offset: 1)
            #expect(ids.map(\.description) == Array(found.dropFirst()))
            #expect(try context.fetch("Animal", sortedBy: order, limit: 3).map(\.id.description) == found)
            let after = try Self.readCount(of: place, context)
            #expect(after - before < 200)
        }
    }

    /// Swift decides about text beyond ASCII, and merges the objects of both tables.
    @Test(
        arguments: EnginePlace.all,
        [
            ([.ascending("name")], ["Cat/1999", "Dog/1999", "Cat/1989"]),
            ([.descending("rank"), .ascending("name")], ["Cat/1998", "Dog/1998", "Cat/1996"]),
            ([.descending("_id")], ["Cat/2000", "Dog/2000", "Cat/1999"]),
        ] as [([SortKey], [String])]
    )
    func aConditionOnAFamilyThatSwiftDecidesReadsFewRows(_ kind: Place.Kind, sorted: ([SortKey], [String])) throws {
        let (order, found) = sorted
        let place = try Place(kind)
        let store = try Self.animals(in: place)
        let condition = try Condition("name.@length == 6")
        try store.read { (context: StoreContext) throws in
            let before = try kind == .file ? 0 : Self.readCount(of: place, context)
            let ids = try context.ids("Animal", where: condition, sortedBy: order, limit: 2, offset: 1)
            #expect(ids.map(\.description) == Array(found.dropFirst()))
            let objects = try context.fetch("Animal", where: condition, sortedBy: order, limit: 3)
            #expect(objects.map(\.id.description) == found)
            let after = try kind == .file ? 0 : Self.readCount(of: place, context)
            #expect(after - before < 1000)
        }
    }

    /// Returns a store with 2,000 cats and as many dogs, with names of 6 characters.
    private static func animals(in place: Place) throws -> Store {
        let attributes: [AttributeDescription] = [.int64("rank", .indexed, .optional), .string("name", .indexed)]
        let animal = EntityDescription("Animal", abstract: true, attributes: attributes)
        let kinds = ["Cat", "Dog"].map { EntityDescription($0, parent: "Animal") }
        let store = try place.open(Model(entities: [animal] + kinds))
        for kind in kinds {
            try store.insert(many: 1...2000 as ClosedRange<Int64>, into: kind.name) { animal, number in
                try animal.setValue("\(9 - number % 10) \(9999 - number)", for: "name")
                if number % 2 == 0, number < 2000 { try animal.setValue(number, for: "rank") }
            }
        }
        guard place.kind == .postgres else { return store }
        try PostgresServer.connect().run(script: "ANALYZE \"\(place.name)\".\"Cat\", \"\(place.name)\".\"Dog\"")
        return store
    }
}
