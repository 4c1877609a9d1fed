import Foundation
import Testing
import TransformableModel
import TransformablePostgres
import TransformableStore
import _PostgresServer

/// What a program must not notice of the differences between a file and a server.
@Suite struct EngineDifferenceTests {
    typealias Place = EnginePlace

    // MARK: - Bulk insertions

    /// The second attempt finds nothing left in the sequence itself.
    @Test(.needsPostgres) func aSequenceIsInsertedAfterAConflict() throws {
        let store = try EngineStore().open()
        var numbers = (1...100 as ClosedRange<Int64>).makeIterator()
        var isFirst = true
        let inserted = try store.insert(
            many: AnyIterator { numbers.next() },
            into: "Item",
            progress: { _ in
                guard isFirst else { return }
                isFirst = false
                throw StoreError(.transactionConflict, "")
            },
            fill: { item, number in try item.setValue(number, for: "count") }
        )
        #expect(!isFirst)
        #expect(inserted.count == 100)
        let counts = try store.read { try $0.fetch("Item").map { try $0.value("count", as: Int64.self) } }
        #expect(counts == Array(1...100))
    }

    // MARK: - Numbers

    @Test(arguments: EnginePlace.all) func anExportWithoutAManifestKeepsItsNumbers(_ kind: Place.Kind) throws {
        let place = try Place(kind)
        let store = try place.open(EngineStore.model())
        try store.write { context in for _ in 0..<3 { _ = try context.insert("Item") } }
        try store.write { try $0.delete($0.object(ObjectID(entity: "Item", number: 1))) }
        let folder = FileManager.default.temporaryDirectory.appending(path: "export-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        try store.export(to: folder)
        try FileManager.default.removeItem(at: folder.appending(path: "export.json"))
        let copy = try Place(kind).open(EngineStore.model())
        #expect(try copy.importExport(from: folder, requiringManifest: false).objectCount == 2)
        #expect(try copy.write { try $0.insert("Item").id.number } == 4)
    }

    // MARK: - Rehearsals

    @Test(arguments: EnginePlace.all) func aRehearsalFindsReferencesThatLeadNowhere(_ kind: Place.Kind) throws {
        let store = try Place(kind).open(EngineStore.model())
        func insert(_ context: StoreContext) throws {
            try context.insert(many: 0..<1, into: "Part") { part, _ in try part.setValue(99 as Int64, for: "item") }
        }
        let errors = [
            #expect(throws: StoreError.self) { _ = try store.rehearse(insert) },
            #expect(throws: StoreError.self) { try store.write(insert) },
        ]
        #expect(errors.map { $0?.code } == [.danglingReference, .danglingReference])
        #expect(errors.map { $0?.entity } == ["Part", "Part"])
        #expect(errors.map { $0?.attribute } == ["item", "item"])
    }

    // MARK: - Long values

    // PostgreSQL cannot compress random characters. It has two limits, which it reports differently.
    @Test(.needsPostgres, arguments: [4000, 9000]) func aValueThatIsTooLongForAnIndexIsNamed(count: Int) throws {
        let store = try EngineStore().open()
        let long = String(
            (0..<count).compactMap { _ in "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ".randomElement() }
        )
        let error = #expect(throws: StoreError.self) {
            try store.write { try $0.insert("Item").setValue(long, for: "name") }
        }
        #expect(error?.code == .limitExceeded)
        #expect(error?.message.contains("2,700 bytes") == true, "\(error as Any)")
        #expect(error?.entity == "Item")
        // The other limit's error does not say which index it is about.
        #expect(error?.attribute == (count == 4000 ? "name" : nil))
        #expect(error?.description.contains(long) == false)
    }

    /// The bytes of the second value are never touched, so they take no memory.
    @Test(arguments: EnginePlace.all) func aRowOfMoreThanAGigabyteIsNamed(_ kind: Place.Kind) throws {
        let model = try Model(entities: [
            EntityDescription("Scan", attributes: [.data("preview", .optional), .data("image", .optional)])
        ])
        let store = try Place(kind).open(model)
        let error = #expect(throws: StoreError.self) {
            try store.write { context in
                let scan = try context.insert("Scan")
                try scan.setValue(Data(count: 2_000_000), for: "preview")
                try scan.setValue(Data(count: 1_073_000_000), for: "image")
            }
        }
        #expect(error?.code == .limitExceeded)
        #expect(error?.object?.entity == "Scan")
        #expect(try store.write { try $0.insert("Scan").id.number } > 0)
    }

    // MARK: - Indexes

    /// The server counts the rows that a transaction reads without an index.
    @Test(
        .needsPostgres,
        arguments: [
            [], [.ascending("_id")], [.descending("_id")], [.ascending("position")], [.descending("position")],
            [.ascending("rank")], [.descending("rank")], [.ascending("name")], [.descending("name")],
        ] as [[SortKey]]
    )
    func aSortedFetchUsesAnIndex(order: [SortKey]) throws {
        let place = try Place(.postgres)
        let attributes: [AttributeDescription] = [
            .int64("position", .indexed), .int64("rank", .indexed, .optional), .string("name", .indexed, .optional),
        ]
        let store = try place.open(Model(entities: [EntityDescription("Entry", attributes: attributes)]))
        try store.insert(many: 0..<2000 as Range<Int64>, into: "Entry") { entry, number in
            try entry.setValue(number, for: "position")
            guard number % 10 > 0 else { return }
            try entry.setValue(number, for: "rank")
            try entry.setValue("name \(number)", for: "name")
        }
        let sql = """
            SELECT "seq_tup_read" FROM "pg_stat_xact_user_tables" WHERE "relname" = 'Entry' AND "schemaname" = ?
            """
        try store.read { (context: StoreContext) throws in
            let count = { try context.rows(sql, arguments: [place.name]).map { try $0.column("seq_tup_read") } }
            let before = try count()
            #expect(try context.fetch("Entry", sortedBy: order, limit: 3).count == 3)
            #expect(try count() == before)
            #expect(before.count == 1)
        }
    }

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
        let attributes: [AttributeDescription] = [.int64("position", .indexed), .string("name", .indexed)]
        let store = try place.open(Model(entities: [EntityDescription("Entry", attributes: attributes)]))
        try store.insert(many: 0..<3000 as Range<Int64>, into: "Entry") { entry, number in
            try entry.setValue(number, for: "position")
            try entry.setValue("name \(number)", for: "name")
        }
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
        try PostgresServer.connect().run(script: "ANALYZE \"\(place.name)\".\"Entry\"")
        let condition = try Condition(text)
        try store.read { (context: StoreContext) throws in
            let before = try Self.readCount(of: place, context)
            #expect(try context.fetch("Entry", where: condition, sortedBy: order, limit: 3).count == 3)
            #expect(try context.exists("Entry", where: condition))
            let after = try Self.readCount(of: place, context)
            #expect(after - before < 1000)
        }
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

    // MARK: - Names of columns

    @Test(arguments: EnginePlace.all) func selectedValuesOfAFamilyHaveAnyName(_ kind: Place.Kind) throws {
        let model = try Model(entities: [
            EntityDescription("Animal", abstract: true, attributes: [.string("place"), .string("sort0")]),
            EntityDescription("Cat", parent: "Animal"), EntityDescription("Dog", parent: "Animal"),
        ])
        let store = try Place(kind).open(model)
        try store.write { context in
            for (entity, place, sort) in [("Cat", "b", "x"), ("Dog", "a", "y"), ("Dog", "c", "x")] {
                let animal = try context.insert(entity)
                try animal.setValue(place, for: "place")
                try animal.setValue(sort, for: "sort0")
            }
        }
        let order: [SortKey] = [.ascending("sort0"), .descending("place")]
        let rows = try store.read { try $0.values("Animal", of: ["_id", "place", "sort0"], sortedBy: order) }
        #expect(try rows.map { try $0.value("place", as: String.self) } == ["c", "b", "a"])
        #expect(try rows.map { try $0.value("_id", as: Int64.self) } == rows.compactMap { $0.id?.number })
    }

    // MARK: - NaN

    /// Only another program can write NaN, which the server regards as greater than all numbers.
    @Test(.needsPostgres, arguments: ["weight > 0", "made > 2001-01-01"])
    func notANumberSatisfiesNoComparison(text: String) throws {
        let place = try EngineStore()
        let store = try place.open()
        try store.write { _ = try $0.insert("Item") }
        try PostgresServer.connect()
            .run(script: "UPDATE \"\(place.schema)\".\"Item\" SET \"weight\" = 'NaN', \"made\" = 'NaN'")
        let condition = try Condition(text)
        #expect(try store.read { try $0.count("Item", where: condition) } == 0)
        #expect(try store.read { try $0.count("Item", where: !condition) } == 0)
    }

    /// As in all comparisons with other attributes, the opposite is true if there is no value.
    @Test(
        .needsPostgres,
        arguments: ["low < high", "high > low", "low between 0 and high", "count <= high", "high >= count"]
    )
    func notANumberHasNoRelationToOtherAttributes(text: String) throws {
        let place = try Place(.postgres)
        let attributes: [AttributeDescription] = [.double("low"), .double("high"), .int64("count")]
        let store = try place.open(Model(entities: [EntityDescription("Range", attributes: attributes)]))
        try store.write { context in
            let range = try context.insert("Range")
            try range.setValue(1.0, for: "low")
            try range.setValue(2.0, for: "high")
            try range.setValue(1 as Int64, for: "count")
        }
        let condition = try Condition(text)
        #expect(try store.read { try $0.count("Range", where: condition) } == 1)
        try PostgresServer.connect().run(script: "UPDATE \"\(place.name)\".\"Range\" SET \"high\" = 'NaN'")
        #expect(try store.read { try $0.count("Range", where: condition) } == 0)
        #expect(try store.read { try $0.count("Range", where: !condition) } == 1)
    }

    // MARK: - Decimal numbers

    /// The bytes are a header, which is a number of groups, a weight, a sign, and a scale, and the groups of digits.
    @Test(
        .needsPostgres,
        arguments: [
            ("1e131071", [0, 1, 0x7F, 0xFF, 0, 0, 0, 0, 0x03, 0xE8]),
            ("'Infinity'", [0, 0, 0, 0, 0xD0, 0, 0, 0x20]), ("'-Infinity'", [0, 0, 0, 0, 0xF0, 0, 0, 0x20]),
        ] as [(String, [UInt8])]
    )
    func aNumberThatNoDecimalNumberHoldsKeepsItsBytes(number: String, bytes: [UInt8]) throws {
        let place = try EngineStore()
        let store = try place.open()
        let id = try store.write { try $0.insert("Item").id }
        try PostgresServer.connect().run(script: "UPDATE \"\(place.schema)\".\"Item\" SET \"price\" = \(number)")
        let faults = try store.verify().faults
        #expect(faults.map(\.attribute) == ["price"])
        #expect(faults.map(\.object) == [id])
        try store.read { context in
            let row = try #require(try context.rows("SELECT \"price\" FROM \"Item\"").first)
            #expect(try row.column("price") == .blob(Data(bytes)))
            let item = try context.object(id)
            let error = #expect(throws: StoreError.self) { try item.value("price", as: Decimal.self) }
            #expect(error?.code == .undecodable)
        }
    }

    @Test(
        .needsPostgres,
        arguments: [
            Decimal.greatestFiniteMagnitude, -.greatestFiniteMagnitude, .leastNonzeroMagnitude,
            .leastNonzeroMagnitude * 12_345, 1,
        ]
    )
    func theExtremesOfDecimalNumbersAreRead(number: Decimal) throws {
        let store = try EngineStore().open()
        try store.write { try $0.insert("Item").setValue(number, for: "price") }
        #expect(try store.read { try $0.fetch("Item")[0].value("price", as: Decimal.self) } == number)
    }

    // MARK: - A program's own statements

    @Test(arguments: EnginePlace.all, [false, true])
    func aMistakeInAStatementIsReported(_ kind: Place.Kind, hasChanges: Bool) throws {
        let store = try Place(kind).open(EngineStore.model())
        let context = store.makeContext()
        if hasChanges { _ = try context.insert("Item") }
        let error = #expect(throws: StoreError.self) {
            try context.rows("SELECT \"nothing\" FROM \"Item\" WHERE \"count\" > ?", arguments: [1]).count
        }
        #expect(error?.code == .invalidStatement)
        #expect(error?.description.contains("nothing") == true, "\(error as Any)")
    }

    @Test(arguments: EnginePlace.all) func aMissingArgumentIsReported(_ kind: Place.Kind) throws {
        let store = try Place(kind).open(EngineStore.model())
        let error = #expect(throws: StoreError.self) {
            try store.read { try $0.rows("SELECT \"name\" FROM \"Item\" WHERE \"count\" > ?").count }
        }
        #expect(error?.code == .invalidStatement)
        #expect(error?.message.contains("1 parameter, but there are 0 arguments") == true, "\(error as Any)")
    }
}
