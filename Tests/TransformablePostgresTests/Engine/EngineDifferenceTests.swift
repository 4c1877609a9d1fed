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

    /// Each of the values takes 18 bytes of 8,160, because PostgreSQL cannot compress it, and stores it elsewhere.
    @Test(.needsPostgres) func aRowWithTooManyLongValuesIsNamed() throws {
        let names = (0..<480).map { "text\($0)" }
        let attributes = names.map { AttributeDescription.string($0, .optional) }
        let model = try Model(entities: [EntityDescription("Wide", attributes: attributes)])
        let store = try EnginePlace(.postgres).open(model)
        let error = #expect(throws: StoreError.self) {
            try store.write { context in
                let object = try context.insert("Wide")
                for name in names { try object.setValue("\(UUID()) \(UUID()) \(UUID())", for: name) }
            }
        }
        #expect(error?.code == .limitExceeded)
        #expect(error?.message.contains("move some of the attributes to a related entity") == true, "\(error as Any)")
        #expect(error?.entity == "Wide")
    }

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

    // MARK: - Relationships that lead nowhere

    /// An abstract entity without children has no objects, so the number of visits is always 0.
    @Test(
        arguments: EnginePlace.all,
        [
            ("Cat", "name != \"x\"", ["Cat/1", "Cat/3"]), ("Cat", "name.@length == 1", ["Cat/1", "Cat/3"]),
            ("Animal", "name.@length == 1", ["Dog/2", "Cat/1"]),
        ] as [(String, String, [String])]
    )
    func objectsAreSortedByACountThatIsAlwaysZero(_ kind: Place.Kind, fetch: (String, String, [String])) throws {
        let (entity, condition, found) = fetch
        let animal = EntityDescription(
            "Animal",
            abstract: true,
            attributes: [.string("name"), .int64("visitCount", .derived(.count(of: "visits")))],
            relationships: [.toMany("visits", "Visit")]
        )
        let kinds = ["Cat", "Dog"].map { EntityDescription($0, parent: "Animal") }
        let model = try Model(entities: [animal, EntityDescription("Visit", abstract: true)] + kinds)
        let store = try Place(kind).open(model)
        try store.write { context in
            for entity in ["Cat", "Dog"] {
                for name in ["b", "a", "c"] { try context.insert(entity).setValue(name, for: "name") }
            }
        }
        let order: [SortKey] = [.descending("visitCount"), .ascending("name")]
        let objects = try store.read { context in
            try context.ids(entity, where: Condition(condition), sortedBy: order, limit: 2, offset: 1)
        }
        #expect(objects.map(\.description) == found)
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

    /// Swift decides about the second condition, and sorts the objects of both tables.
    @Test(
        .needsPostgres,
        arguments: ["name == \"a\"", "name.@length == 1"],
        [
            (.ascending("weight"), ["Cat/3", "Dog/1", "Cat/2", "Cat/1"]),
            (.descending("weight"), ["Cat/1", "Dog/2", "Cat/2", "Dog/1"]),
        ] as [(SortKey, [String])]
    )
    func notANumberIsSortedAsTheGreatestNumber(text: String, sorted: (SortKey, [String])) throws {
        let (key, found) = sorted
        let place = try Place(.postgres)
        let attributes: [AttributeDescription] = [.string("name"), .double("weight")]
        let animal = EntityDescription("Animal", abstract: true, attributes: attributes)
        let kinds = ["Cat", "Dog"].map { EntityDescription($0, parent: "Animal") }
        let store = try place.open(Model(entities: [animal] + kinds))
        try store.write { context in
            for (entity, weight) in [("Cat", 0.0), ("Cat", 3.0), ("Cat", 1.0), ("Dog", 2.0), ("Dog", 0.0)] {
                let animal = try context.insert(entity)
                try animal.setValue("a", for: "name")
                try animal.setValue(weight, for: "weight")
            }
        }
        let script = ["Cat", "Dog"]
            .map { "UPDATE \"\(place.name)\".\"\($0)\" SET \"weight\" = 'NaN' WHERE \"weight\" = 0" }
        try PostgresServer.connect().run(script: script.joined(separator: "; "))
        let condition = try Condition(text)
        let ids = try store.read { try $0.ids("Animal", where: condition, sortedBy: [key], limit: 4) }
        #expect(ids.map(\.description) == found)
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

    /// SQLite would find the table.
    @Test(.needsPostgres) func aNameWithUppercaseLettersThatIsNotQuotedIsReported() throws {
        let store = try EngineStore().open()
        let error = #expect(throws: StoreError.self) { try store.read { try $0.rows("SELECT name FROM Item").count } }
        #expect(error?.code == .invalidStatement)
        #expect(error?.message.contains("put names in double quotes") == true, "\(error as Any)")
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
