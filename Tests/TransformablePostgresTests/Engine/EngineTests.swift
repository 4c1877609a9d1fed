import Foundation
import Synchronization
import Testing
import Transformable
import TransformableModel
import TransformableSQLite
import TransformableStore
import _PostgresServer

@testable import TransformablePostgres  // The engine is internal.

/// The same checks on stores in a file and in PostgreSQL.
@Suite struct EngineTests {
    private static let card = UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F")
    private static let born = Date(timeIntervalSinceReferenceDate: 0.1 + 0.2)

    @Test(arguments: EnginePlace.all) func readsWhatItWrote(_ kind: EnginePlace.Kind) throws {
        let place = try EnginePlace(kind)
        let store = try place.open(EnginePlace.model())
        let id = try store.write { context in
            let patient = try context.insert("Patient")
            try patient.setValue("Adá 🐈\n“x”", for: "name")
            try patient.setValue(Int16.min, for: "age")
            try patient.setValue(true, for: "isActive")
            try patient.setValue(0.1 + 0.2, for: "height")
            try patient.setValue(Decimal(string: "-12345678901234567890.0123456789"), for: "fee")
            try patient.setValue(Self.born, for: "born")
            try patient.setValue(Data(repeating: 7, count: 100_000), for: "photo")
            try patient.setValue(Self.card, for: "card")
            try patient.setValue(URL(string: "https://example.org/?q=1"), for: "page")
            try patient.setValue(Int64.max, for: "number")
            try patient.setValue("078-05-1120", for: "ssn")
            return patient.id
        }
        try store.close()
        let again = try place.open(EnginePlace.model())
        try again.read { context in
            let patient = try context.object(id)
            #expect(try patient.value("name", as: String.self) == "Adá 🐈\n“x”")
            #expect(try patient.value("age", as: Int16.self) == .min)
            #expect(try patient.value("isActive", as: Bool.self))
            #expect(try patient.value("height", as: Double.self) == 0.1 + 0.2)
            #expect(try patient.value("fee", as: Decimal.self) == Decimal(string: "-12345678901234567890.0123456789"))
            #expect(try patient.value("born", as: Date.self) == Self.born)
            #expect(try patient.value("photo", as: Data.self) == Data(repeating: 7, count: 100_000))
            #expect(try patient.value("card", as: UUID.self) == Self.card)
            #expect(try patient.value("page", as: URL.self) == URL(string: "https://example.org/?q=1"))
            #expect(try patient.value("number", as: Int64.self) == .max)
            #expect(try patient.value("ssn", as: String.self) == "078-05-1120")
        }
    }

    @Test(arguments: EnginePlace.all) func changesAndDeletes(_ kind: EnginePlace.Kind) throws {
        let store = try EnginePlace(kind).open(EnginePlace.model())
        let (first, second) = (try EnginePlace.add("Ada", to: store), try EnginePlace.add("Eve", to: store))
        try store.write { context in
            try context.object(first).setValue("Ida", for: "name")
            try context.delete(context.object(second))
        }
        let names = try store.read { context in
            try context.fetch("Patient").map { try $0.value("name", as: String.self) }
        }
        #expect(names == ["Ida"])
        #expect(try store.read { try $0.objectIfPresent(second) == nil })
    }

    @Test(arguments: EnginePlace.all) func rollsBackABlockThatThrows(_ kind: EnginePlace.Kind) throws {
        let store = try EnginePlace(kind).open(EnginePlace.model())
        #expect(throws: CancellationError.self) {
            try store.write { context in
                try context.insert("Patient").setValue("Ada", for: "name")
                try context.save()
                throw CancellationError()
            }
        }
        #expect(try store.read { try $0.count("Patient") } == 0)
    }

    @Test(arguments: EnginePlace.all) func followsRelationshipsAndDeleteRules(_ kind: EnginePlace.Kind) throws {
        let store = try EnginePlace(kind).open(EnginePlace.model())
        let (patient, group) = try store.write { context in
            let patient = try context.insert("Patient")
            try patient.setValue("Ada", for: "name")
            for _ in 0..<3 { try patient.add(context.insert("Visit"), to: "visits") }
            let group = try context.insert("Group")
            try patient.setObjects([group], for: "groups")
            return (patient.id, group.id)
        }
        try store.read { context in
            let (patient, group) = (try context.object(patient), try context.object(group))
            #expect(try patient.objects("visits").count == 3)
            #expect(try group.objects("members").map(\.id) == [patient.id])
        }
        try store.write { try $0.delete($0.object(patient)) }
        try store.read { context in
            let group = try context.object(group)
            #expect(try context.count("Visit") == 0)
            #expect(try group.objects("members").isEmpty)
        }
    }

    @Test(arguments: EnginePlace.all) func refusesASecondUniqueValue(_ kind: EnginePlace.Kind) throws {
        let store = try EnginePlace(kind).open(EnginePlace.model())
        let id = try EnginePlace.add("Ada", to: store)
        try store.write { try $0.object(id).setValue(Self.card, for: "card") }
        let error = try #require(throws: StoreError.self) {
            try store.write { context in
                let other = try context.insert("Patient")
                try other.setValue("Eve", for: "name")
                try other.setValue(Self.card, for: "card")
            }
        }
        #expect(error.code == .notUnique)
        #expect(error.entity == "Patient")
        #expect(error.attribute == "card")
        #expect(try store.read { try $0.count("Patient") } == 1)
    }

    @Test(arguments: EnginePlace.all) func noticesAConflict(_ kind: EnginePlace.Kind) throws {
        let store = try EnginePlace(kind).open(EnginePlace.model())
        let id = try EnginePlace.add("Ada", to: store)
        let context = store.makeContext()
        let object = try context.object(id)
        #expect(try object.value("name", as: String.self) == "Ada")
        try store.write { try $0.object(id).setValue("Ida", for: "name") }
        try object.setValue("Eva", for: "name")
        #expect(try #require(throws: StoreError.self) { try context.save() }.code == .conflict)
        try context.refresh(object)
        try object.setValue("Eva", for: "name")
        try context.save()
        #expect(try store.read { try $0.object(id).value("name", as: String.self) } == "Eva")
    }

    @Test(arguments: EnginePlace.all) func undoesAChange(_ kind: EnginePlace.Kind) throws {
        let store = try EnginePlace(kind).open(EnginePlace.model())
        let id = try EnginePlace.add("Ada", to: store)
        let context = store.makeContext()
        let object = try context.object(id)
        try object.setValue("Ida", for: "name")
        try context.undo()
        #expect(try object.value("name", as: String.self) == "Ada")
        try object.setValue("Eva", for: "name")
        let other = try context.insert("Patient")
        try other.setValue("Bea", for: "name")
        try context.save()
        #expect(try store.read { try $0.count("Patient") } == 2)
        #expect(try store.read { try $0.object(id).value("name", as: String.self) } == "Eva")
    }

    @Test(arguments: EnginePlace.all) func numbersAreNotUsedAgain(_ kind: EnginePlace.Kind) throws {
        let place = try EnginePlace(kind)
        let store = try place.open(EnginePlace.model())
        let first = try EnginePlace.add("Ada", to: store)
        try store.write { try $0.delete($0.object(first)) }
        try store.close()
        let second = try EnginePlace.add("Eve", to: place.open(EnginePlace.model()))
        #expect(second.number > first.number)
    }

    @Test(.needsPostgres) func aCopyInAFileContinuesTheNumbers() throws {
        let place = try EnginePlace(.postgres)
        let store = try place.open(EnginePlace.model())
        let (first, last) = (try EnginePlace.add("Ada", to: store), try EnginePlace.add("Eve", to: store))
        try store.write { try $0.delete($0.object(last)) }
        try store.close()
        let url = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).sqlite")
        defer { try? FileManager.default.removeItem(at: url) }
        let address = try PostgresServer.shared.get().address
        try Store.copy(from: address, schema: place.name, to: url, transformers: place.registry)
        let copy = try Store(at: url, model: EnginePlace.model(), transformers: place.registry, options: .mustExist)
        #expect(try copy.read { try $0.object(first).value("name", as: String.self) } == "Ada")
        #expect(try EnginePlace.add("Bea", to: copy).number > last.number)
    }

    @Test(arguments: EnginePlace.all) func opensWithTheModelInTheStore(_ kind: EnginePlace.Kind) throws {
        let place = try EnginePlace(kind)
        let id = try EnginePlace.add("Ada", to: place.open(EnginePlace.model()))
        let store = try place.open(nil, .readOnly)
        #expect(try store.read { try $0.object(id).value("name", as: String.self) } == "Ada")
        #expect(try #require(throws: StoreError.self) { try store.write { _ in } }.code == .readOnly)
    }

    @Test(arguments: EnginePlace.all) func fetchesByNumbersAndSorts(_ kind: EnginePlace.Kind) throws {
        let store = try EnginePlace(kind).open(EnginePlace.model())
        for age in [3, nil, 1, 2] as [Int16?] {
            try store.write { context in
                let patient = try context.insert("Patient")
                try patient.setValue("Ada", for: "name")
                try patient.setValue(age, for: "age")
            }
        }
        try store.read { context in
            let sorted = try context.fetch("Patient", sortedBy: [SortKey(name: "age", isDescending: false)])
            #expect(try sorted.map { try $0.value("age", as: Int16?.self) } == [nil, 1, 2, 3])
            #expect(try context.fetch("Patient", limit: 2, offset: 1).count == 2)
            #expect(try context.count("Patient", where: Condition("age == 2")) == 1)
            #expect(try context.count("Patient", where: Condition("age == 70000")) == 0)
            #expect(try context.count("Patient", where: Condition("age == null")) == 1)
            #expect(try context.count("Patient", where: Condition("age > 1")) == 2)
            #expect(try context.count("Patient", where: Condition("not age == 2")) == 3)
        }
    }

    /// Such a test is usual for a parameter that a caller may leave out.
    @Test(
        arguments: EnginePlace.all,
        [
            "$age is null or age == $age", "$age == null or age == $age", "$age != null and age > $age",
            "$age is not null and age < $age", "$age in (age, null)", "any visits ($age is null) or age == $age",
        ]
    )
    func testsAParameterForNull(_ kind: EnginePlace.Kind, text: String) throws {
        let store = try EnginePlace(kind).open(EnginePlace.model())
        try store.write { context in
            for age in [1, 2, 3] as [Int16] {
                let patient = try context.insert("Patient")
                try patient.setValue("Ada", for: "name")
                try patient.setValue(age, for: "age")
            }
        }
        let condition = try Condition(text, parameters: ["age": 2])
        #expect(try store.read { try $0.count("Patient", where: condition) } == 1)
    }

    /// The values are more than the columns that either database can return.
    @Test(arguments: EnginePlace.all) func comparesASealedValueWithManyOthers(_ kind: EnginePlace.Kind) throws {
        let store = try EnginePlace(kind).open(EnginePlace.model())
        try store.write { context in
            for ssn in ["1", "2499", "2500", nil] {
                let patient = try context.insert("Patient")
                try patient.setValue("Ada", for: "name")
                try patient.setValue(ssn, for: "ssn")
            }
        }
        let condition = Field("ssn").isIn((0..<2500).map { "\($0)" })
        #expect(try store.read { try $0.count("Patient", where: condition) } == 2)
        #expect(try store.read { try $0.count("Patient", where: !condition) } == 2)
    }

    @Test(arguments: EnginePlace.all) func awaitsReadsAndWrites(_ kind: EnginePlace.Kind) async throws {
        let store = try EnginePlace(kind).open(EnginePlace.model())
        let id = try await store.write { context in
            let patient = try context.insert("Patient")
            try patient.setValue("Ada", for: "name")
            return patient.id
        }
        #expect(try await store.read { try $0.object(id).value("name", as: String.self) } == "Ada")
    }

    @Test(arguments: EnginePlace.all) func aStoreCannotBeClosedInItsOwnBlock(_ kind: EnginePlace.Kind) throws {
        let store = try EnginePlace(kind).open(EnginePlace.model())
        let error = #expect(throws: StoreError.self) { try store.write { _ in try store.close() } }
        #expect(error?.code == .misuse)
        try EnginePlace.add("Ada", to: store)
    }

    @Test(.needsPostgres) func aStoreIsClosedOnceItsWritesHaveEnded() async throws {
        let place = try EngineStore()
        let store = try place.open()
        let (beginnings, begun) = AsyncStream.makeStream(of: Void.self)
        let write = Task {
            try await store.write { context in
                begun.yield()
                _ = try context.insert("Item")
                _ = try context.rows("SELECT pg_sleep(0.2)::text AS \"rest\"")
            }
        }
        let hasBegun = await beginnings.contains { _ in true }
        #expect(hasBegun)
        let connection = try PostgresServer.connect()
        try store.close()
        let count = PostgresStatement("SELECT count(*) FROM \"\(place.schema)\".\"Item\"")
        #expect(try connection.rows(count) { try $0.value(0, as: Int64.self) } == [1])
        try await write.value
    }

    /// Closing a store closes its engine before its observers learn of that.
    @Test(.needsPostgres) func resultsEndIfTheEngineIsClosedAfterAChange() async throws {
        let place = try EngineStore()
        let engine = place.engine()
        let store = try place.open(engine)
        var counts = store.results(of: "Item") { try $0.count("Item") }.makeAsyncIterator()
        var lists = try store.sections(of: "Item").makeAsyncIterator()
        #expect(try await counts.next() == 0)
        #expect(try await lists.next()?.count == 0)
        try await store.write { _ = try $0.insert("Item") }
        engine.close()
        #expect(try await counts.next() == nil)
        #expect(try await lists.next() == nil)
    }

    @Test(.needsPostgres) func aSaveOfManyObjectsTakesFewRoundTrips() throws {
        let place = try EnginePlace(.postgres)
        try place.open(EnginePlace.model()).close()
        let engine = PostgresEngine(
            try PostgresServer.shared.get().address,
            schema: place.name,
            options: PostgresOptions(),
            lockTimeout: .seconds(5)
        )
        let store = try Store(
            engine: engine,
            model: EnginePlace.model(),
            transformers: place.registry,
            options: .mustExist,
            hooks: [:]
        )
        func roundTrips(_ body: (StoreContext) throws -> Void) throws -> Int {
            let before = engine.roundTrips.load(ordering: .relaxed)
            try store.write(body)
            return engine.roundTrips.load(ordering: .relaxed) - before
        }
        let insertion = { (context: StoreContext) in
            for _ in 0..<1000 { try context.insert("Visit").setValue("new", for: "note") }
        }
        let change = { (context: StoreContext) in
            for visit in try context.fetch("Visit") { try visit.setValue("changed", for: "note") }
        }
        // The first use of each statement asks the server for its types.
        _ = try roundTrips(insertion)
        _ = try roundTrips(change)
        // One to begin, 16 for numbers, one for the rows, and one for the commit.
        #expect(try roundTrips(insertion) <= 40)
        #expect(try roundTrips(change) <= 4)
        #expect(try store.read { try $0.count("Visit") } == 2000)
    }
}
