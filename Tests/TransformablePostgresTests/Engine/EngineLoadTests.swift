import Foundation
import Synchronization
import Testing
import TransformableModel
import TransformableStore
import _PostgresServer

@testable import TransformablePostgres  // The engine is internal.

/// Many rows, and the round trips that they cost.
@Suite(.needsPostgres) struct EngineLoadTests {
    private static func fill(_ item: ManagedObject, _ number: Int) throws {
        try item.setValue("Item \(number)", for: "name")
        try item.setValue(Int64(number), for: "count")
        try item.setValue(Int16(number % 1000), for: "size")
        try item.setValue(Double(number) / 3, for: "weight")
        try item.setValue(Decimal(number) / 4, for: "price")
        try item.setValue(number.isMultiple(of: 2) ? true : nil, for: "isOpen")
        try item.setValue(Date(timeIntervalSinceReferenceDate: Double(number) + 0.1), for: "made")
        try item.setValue("secret \(number)", for: "secret")
    }

    private static func check(_ item: ManagedObject) throws -> Bool {
        let number = Int(try item.value("count", as: Int64.self))
        return try item.value("name", as: String.self) == "Item \(number)"
            && item.value("size", as: Int16.self) == Int16(number % 1000)
            && item.value("weight", as: Double.self) == Double(number) / 3
            && item.value("price", as: Decimal.self) == Decimal(number) / 4
            && item.value("isOpen", as: Bool?.self) == (number.isMultiple(of: 2) ? true : nil)
            && item.value("made", as: Date.self) == Date(timeIntervalSinceReferenceDate: Double(number) + 0.1)
            && item.value("card", as: UUID?.self) == nil
            && item.value("secret", as: String.self) == "secret \(number)"
    }

    // MARK: - Rows

    @Test func insertsManyRowsWithACopy() throws {
        let place = try EngineStore()
        let engine = place.engine()
        let store = try place.open(engine)
        var progress: [Int] = []
        var numbers = Int64(0)..<0
        let count = try EngineStore.roundTrips(engine) {
            numbers = try store.write { context in
                try context.insert(many: 0..<5000, into: "Item", progress: { progress.append($0) }, fill: Self.fill)
            }
        }
        // They include the first use of each statement, for which the server is asked for its types.
        #expect(count <= 10)
        #expect(progress == [5000])
        try store.read { context in
            let items = try context.fetch("Item")
            #expect(items.map(\.id.number) == Array(numbers))
            #expect(try items.allSatisfy(Self.check))
        }
    }

    /// Some rows are larger than what is sent at a time, and some are as large as that.
    @Test func insertsManyRowsOfDifferentSizes() throws {
        let store = try EngineStore().open()
        let sizes = [nil, 0, 1, 64, 65_000, 65_536, 70_000, 300_000]
        let secrets = (0..<320)
            .map { number in
                sizes[number % sizes.count].map { String(repeating: "\(number % 10)", count: $0) }
            }
        try store.insert(many: secrets, into: "Item") { try $0.setValue($1, for: "secret") }
        #expect(try store.read { try $0.fetch("Item").map { try $0.value("secret", as: String?.self) } } == secrets)
    }

    @Test func insertsManyRowsAgainIfAnotherProgramInterferes() throws {
        let place = try EngineStore()
        let store = try place.open()
        try PostgresServer.connect()
            .run(
                script: """
                    SET search_path TO "\(place.schema)";
                    CREATE SEQUENCE "attempts";
                    CREATE FUNCTION "interfere"() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
                    IF nextval('"\(place.schema)"."attempts"') = 1 THEN RAISE EXCEPTION USING ERRCODE = '40001'; END IF;
                    RETURN NULL; END $$;
                    CREATE TRIGGER "interfere" AFTER INSERT ON "Item" FOR EACH STATEMENT EXECUTE FUNCTION "interfere"()
                    """
            )
        try store.insert(many: 0..<3000, into: "Item", fill: Self.fill)
        let next = PostgresStatement("SELECT nextval('\"\(place.schema)\".\"attempts\"')")
        #expect(try PostgresServer.connect().rows(next) { try $0.value(0, as: Int64.self) } == [3])
        try store.read { context in
            let items = try context.fetch("Item")
            #expect(items.count == 3000)
            #expect(try items.allSatisfy(Self.check))
        }
    }

    // A table with row-level security refuses COPY.
    @Test func insertsManyRowsIntoATableForWhichAnAdministratorHasAPolicy() throws {
        let place = try EngineStore(at: PostgresServer.boundAddress.get())
        let table = "\"\(place.schema)\".\"Item\""
        try PostgresServer.connect()
            .run(
                script: """
                    ALTER TABLE \(table) ENABLE ROW LEVEL SECURITY; ALTER TABLE \(table) FORCE ROW LEVEL SECURITY;
                    CREATE POLICY "everyone" ON \(table) USING (true)
                    """
            )
        let store = try Store(
            postgres: place.address.description,
            schema: place.schema,
            model: EngineStore.model(),
            transformers: place.registry
        )
        defer { try? store.close() }
        try store.insert(many: 0..<100, into: "Item", fill: Self.fill)
        try store.read { context in
            let items = try context.fetch("Item")
            #expect(items.count == 100)
            #expect(try items.allSatisfy(Self.check))
        }
    }

    @Test func listsThatAreAboutToChangeAreReadTogether() throws {
        let place = try EngineStore()
        let engine = place.engine()
        let store = try place.open(engine)
        let ids = try store.write { context in
            try (0..<100).map { _ in (item: try context.insert("Item").id, part: try context.insert("Part").id) }
        }
        let count = try EngineStore.roundTrips(engine) {
            try store.write { context in
                let pairs = try ids.map { (item: try context.fault($0.item), part: try context.fault($0.part)) }
                try context.prefetch(pairs.flatMap { [$0.item, $0.part] })
                try context.prefetch(pairs.map(\.item), changing: "parts")
                for (item, part) in pairs { try item.setObjects([part], for: "parts") }
            }
        }
        #expect(count <= 40)
        try store.read { context in
            for (item, part) in ids {
                let parts = try context.object(item).objects("parts")
                #expect(parts.map(\.id) == [part])
            }
        }
    }

    @Test func aBlockWithManyNewObjectsCopiesThem() throws {
        let place = try EngineStore()
        let engine = place.engine()
        let store = try place.open(engine)
        let count = try EngineStore.roundTrips(engine) {
            try store.write { context in
                for number in 0..<3000 {
                    let item = try context.insert("Item")
                    try Self.fill(item, number)
                    try context.insert("Part").setObject(item, for: "item")
                }
            }
        }
        // Numbers take six blocks for each entity.
        #expect(count <= 30)
        try store.read { context in
            let items = try context.fetch("Item")
            #expect(try context.count("Part") == 3000)
            #expect(items.count == 3000)
            #expect(try items.allSatisfy(Self.check))
            #expect(try items.allSatisfy { try $0.objects("parts").count == 1 })
        }
    }

    @Test func aContextForEditingAppliesTheDeleteRulesOfManyObjectsTogether() throws {
        let place = try EngineStore()
        let engine = place.engine()
        let store = try place.open(engine)
        try store.insert(many: 0..<100, into: "Item", fill: Self.fill)
        let context = store.makeContext()
        #expect(try context.delete("Item", where: .all) == 100)
        let count = try EngineStore.roundTrips(engine) { try context.save() }
        // Not one or more for each object.
        #expect(count <= 50)
        #expect(try store.read { try $0.count("Item") } == 0)
    }

    @Test func anObjectThatCannotBeStoredInABatchIsNamed() throws {
        let place = try EngineStore()
        let store = try place.open()
        let error = try #require(throws: StoreError.self) {
            try store.insert(many: 0..<3000, into: "Item") { item, number in
                try item.setValue(number == 2500 ? "nul \0" : "fine", for: "name")
            }
        }
        #expect(error.code == .invalidValue)
        #expect(error.entity == "Item")
        #expect(error.attribute == "name")
        #expect(error.object?.number == 2501)
        #expect(error.element == 2500)
        #expect(try store.read { try $0.count("Item") } == 0)
        try store.insert(many: 0..<10, into: "Item", fill: Self.fill)
        #expect(try store.read { try $0.count("Item") } == 10)
    }

    @Test func namesTheElementWhoseValueIsNotUnique() throws {
        let place = try EngineStore()
        let engine = place.engine()
        let store = try place.open(engine)
        let error = try #require(throws: StoreError.self) {
            try store.insert(many: 0..<600, into: "Tag") { try $0.setValue("\($1 == 555 ? 3 : $1)", for: "label") }
        }
        #expect(error.code == .notUnique)
        #expect(error.element == 555)
        #expect(error.attribute == "label")
        let count = try EngineStore.roundTrips(engine) {
            try store.insert(many: 0..<600, into: "Tag") { try $0.setValue("\($1)", for: "label") }
        }
        // The first chunks are small, because the size of rows is not known yet.
        #expect(count <= 12)
        #expect(try store.read { try $0.count("Tag") } == 600)
    }

    @Test func namesTheElementWhoseValueIsTooLongForAnIndex() throws {
        let store = try EngineStore().open()
        // PostgreSQL compresses values, so this one is random.
        let long = (0..<200).map { _ in UUID().uuidString }.joined()
        let error = try #require(throws: StoreError.self) {
            try store.insert(many: 0..<600, into: "Tag") { try $0.setValue($1 == 555 ? long : "\($1)", for: "label") }
        }
        #expect(error.code == .limitExceeded)
        #expect(error.element == 555)
        #expect(error.object?.number == 556)
    }

    @Test func newObjectsWithUniqueValuesDoNotWaitForEachOther() throws {
        let place = try EngineStore()
        let engine = place.engine()
        let store = try place.open(engine)
        let count = try EngineStore.roundTrips(engine) {
            try store.write { context in
                for number in 0..<600 { try context.insert("Tag").setValue("\(number)", for: "label") }
            }
        }
        // Numbers take four blocks.
        #expect(count <= 30)
        #expect(try store.read { try $0.count("Tag") } == 600)
        let error = try #require(throws: StoreError.self) {
            try store.write { context in
                for number in 0..<50 { try context.insert("Tag").setValue("new \(number)", for: "label") }
                try context.insert("Tag").setValue("3", for: "label")
            }
        }
        #expect(error.code == .notUnique)
        #expect(error.attribute == "label")
        #expect(try store.read { try $0.count("Tag") } == 600)
    }

    @Test func changesOfUniqueValuesDoNotWaitForEachOther() throws {
        let place = try EngineStore()
        let engine = place.engine()
        let store = try place.open(engine)
        try store.insert(many: 0..<600, into: "Tag") { try $0.setValue("\($1)", for: "label") }
        let count = try EngineStore.roundTrips(engine) {
            try store.write { context in
                for tag in try context.fetch("Tag") { try tag.setValue("new \(tag.id.number)", for: "label") }
            }
        }
        #expect(count <= 30)
        #expect(try store.read { try $0.count("Tag", where: Field("label") == "new 600") } == 1)
    }

    @Test func otherStatementsRunWhileRowsAreRead() throws {
        let store = try EngineStore().open()
        try store.insert(many: 0..<2500, into: "Item", fill: Self.fill)
        try store.read { context in
            var sum: Int64 = 0
            try context.forEach("Item") { item in
                let own = try item.value("count", as: Int64.self)
                if own % 500 == 0 { #expect(try context.count("Item", where: Field("name") == "Item \(own)") == 1) }
                sum += own
            }
            #expect(sum == 2499 * 2500 / 2)
            #expect(throws: CancellationError.self) { try context.forEach("Item") { _ in throw CancellationError() } }
            #expect(try context.fetch("Item", limit: 3).count == 3)
        }
        #expect(try store.read { try $0.count("Item") } == 2500)
    }

    // MARK: - Round trips

    @Test func fewRoundTripsForManyObjects() throws {
        let place = try EngineStore()
        let engine = place.engine()
        let store = try place.open(engine)
        try store.write { context in
            let items = try (0..<300)
                .map { number in
                    let item = try context.insert("Item")
                    try item.setValue(Int64(number), for: "count")
                    return item
                }
            for number in 0..<3000 {
                let part = try context.insert("Part")
                try part.setValue(Int64(number), for: "number")
                try part.setObject(items[number / 10], for: "item")
            }
        }
        let change = {
            try store.write { context in
                for item in try context.fetch("Item") {
                    try item.setValue(item.value("count", as: Int64.self) + 1, for: "count")
                }
            }
        }
        // The first use of each statement asks the server for its types.
        try change()
        #expect(try EngineStore.roundTrips(engine, change) <= 4)
        let fetch = {
            let count = try store.read { try $0.fetch("Part").count }
            #expect(count == 3000)
        }
        try fetch()
        // One statement checks that the tables have not changed.
        #expect(try EngineStore.statements(engine, fetch) == 2)
        #expect(try EngineStore.roundTrips(engine, fetch) <= 3)
        let follow = {
            try store.read { context in
                for item in try context.fetch("Item") {
                    let parts = try item.objects("parts")
                    #expect(parts.count == 10)
                    #expect(try parts.allSatisfy { try $0.value("number", as: Int64.self) / 10 == item.id.number - 1 })
                }
            }
        }
        // Without reading ahead, this would be 3,300.
        #expect(try EngineStore.statements(engine, follow) <= 80)
        let lead = {
            try store.read { context in
                var sum: Int64 = 0
                for part in try context.fetch("Part") {
                    let item = try #require(try part.object("item"))
                    sum += try item.value("count", as: Int64.self)
                }
                // Both changes added 1 to each number from 0 to 299.
                #expect(sum == 10 * (299 * 300 / 2 + 2 * 300))
            }
        }
        #expect(try EngineStore.statements(engine, lead) <= 30)
    }

    @Test func fewRoundTripsForASaveOfManyChangedObjects() throws {
        let place = try EngineStore()
        let engine = place.engine()
        let store = try place.open(engine)
        try store.insert(many: 0..<1000, into: "Item", fill: Self.fill)
        let context = store.makeContext()
        let items = try context.fetch("Item")
        let change = {
            for item in items { try item.setValue(item.value("count", as: Int64.self) + 1, for: "count") }
        }
        // The first use of each statement asks the server for its types.
        try change()
        try context.save()
        try change()
        #expect(try EngineStore.roundTrips(engine, context.save) <= 4)
        #expect(!context.hasChanges)
        let counts = try store.read { try $0.fetch("Item").map { try $0.value("count", as: Int64.self) } }
        #expect(counts == (2..<1002).map(Int64.init))
        // Another context changes two objects, and one of them is among those that are saved.
        try store.write { other in
            for item in [items[3], items[700]] { try other.object(item.id).setValue("other", for: "name") }
        }
        for item in items where item.id != items[3].id { try item.setValue("mine", for: "name") }
        let error = #expect(throws: StoreError.self) { try context.save() }
        #expect(error?.code == .conflict)
        #expect(error?.object == items[700].id)
        #expect(try store.read { try $0.count("Item", where: Field("name") == "mine") } == 0)
    }

    @Test func refusesACollectionWithMoreElementsThanItsCount() throws {
        struct Growing: RandomAccessCollection, Sendable {
            let startIndex = 0
            let endIndex = 5
            subscript(index: Int) -> Int { index }
            func makeIterator() -> Range<Int>.Iterator { (0..<50).makeIterator() }
        }
        let store = try EngineStore().open()
        let error = #expect(throws: StoreError.self) {
            try store.insert(many: Growing(), into: "Part") { try $0.setValue(Int64($1), for: "number") }
        }
        #expect(error?.code == .misuse)
        #expect(try store.read { try $0.count("Part") } == 0)
    }

    @Test func anErrorOfASequenceLeavesTheTransactionUsable() throws {
        let store = try EngineStore().open()
        struct Failure: Error {}
        try store.write { context in
            let before = try context.insert("Part")
            #expect(throws: Failure.self) {
                try context.insert(many: 0..<5000, into: "Part") { part, number in
                    if number == 4000 { throw Failure() }
                    try part.setValue(Int64(number), for: "number")
                }
            }
            try before.setValue(-1 as Int64, for: "number")
        }
        #expect(try store.read { try $0.count("Part", where: Field("number") == -1) } == 1)
    }

    @Test(arguments: [true, false]) func numbersAreConsecutiveWhileOthersTakeSome(_ areStores: Bool) throws {
        let place = try EngineStore()
        let next = "SELECT nextval('\"\(place.schema)\".\"Item__id_seq\"')"
        let isOver = Atomic(false)
        let ranges = Mutex<[Range<Int64>]>([])
        let failures = Mutex<[String]>([])
        DispatchQueue.concurrentPerform(iterations: 4) { thread in
            let count: Int64 = thread == 0 ? 30_000 : 1
            do {
                let engine = place.engine()
                for _ in 0..<(thread == 0 ? 5 : 5000) where !isOver.load(ordering: .relaxed) {
                    let first = try engine.transact { connection -> Int64? in
                        guard areStores || thread == 0 else { return try connection.integer(next) }
                        return try connection.reserveNumbers(count, of: "Item")
                    }
                    if let first { ranges.withLock { $0.append(first..<first + count) } }
                }
            } catch {
                failures.withLock { $0.append("\(error)") }
            }
            if thread == 0 { isOver.store(true, ordering: .relaxed) }
        }
        #expect(failures.withLock(\.self) == [])
        let sorted = ranges.withLock(\.self).sorted { $0.lowerBound < $1.lowerBound }
        #expect(sorted.count { $0.count == 30_000 } == 5)
        #expect(zip(sorted, sorted.dropFirst()).allSatisfy { $0.upperBound <= $1.lowerBound })
    }
}
