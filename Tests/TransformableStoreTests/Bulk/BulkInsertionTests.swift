import Foundation
import Synchronization
import Testing
import Transformable
import TransformableSQLite
import TransformableStore

@Suite struct BulkInsertionTests {
    private struct Reading: Sendable {
        let name: String
        let number: Int
    }

    private struct Stop: Error {}

    private let folder: Folder
    private let store: Store

    init() throws {
        folder = try Folder()
        store = try Store.people(in: folder)
    }

    private static func readings(_ count: Int) -> [Reading] {
        (0..<count).map { Reading(name: "n\($0)", number: $0) }
    }

    @Sendable private static func fill(_ person: ManagedObject, _ reading: Reading) throws {
        try person.setValue(reading.name, for: "name")
        try person.setValue(reading.number, for: "age")
        try person.setValue(Box(width: reading.number, height: 2), for: "box")
        try person.setValue("s\(reading.number)", for: "secret")
    }

    @Test(arguments: [0, 1, 15, 16, 17, 5000])
    func insertsEachElementOnceAndInOrder(count: Int) throws {
        try store.addPerson("before")
        let numbers = try store.insert(many: Self.readings(count), into: "Person", fill: Self.fill)
        #expect(numbers == 2..<Int64(count) + 2)
        let after = try store.addPerson("after")
        #expect(after.number == Int64(count) + 2)
        let found = try store.read { context in
            try context.fetch("Person", where: Condition("name != \"before\" and name != \"after\""))
                .map { person in
                    let box = try person.value("box", as: Box.self)
                    let secret = try person.value("secret", as: String.self)
                    return "\(person.id.number) \(try person.value("name", as: String.self)) \(box.width) \(secret)"
                }
        }
        #expect(found == (0..<count).map { "\($0 + 2) n\($0) \($0) s\($0)" })
    }

    @Test func computesProjectionsForConditions() throws {
        try store.insert(many: Self.readings(300), into: "Person", fill: Self.fill)
        #expect(try store.names(where: Condition("area = 500")) == ["n250"])
        #expect(try store.names(where: Condition("secret = \"s77\"")) == ["n77"])
    }

    @Test func onlyTheNewObjectCanChange() throws {
        let store = try Store.inMemory(model: RelationshipTests.clinic(), transformers: Transformers().registry())
        let doctor = try store.write { context in
            let doctor = try context.insert("Doctor")
            try doctor.setValue("d", for: "name")
            return doctor.id
        }
        var error = #expect(throws: StoreError.self) {
            try store.insert(many: 0..<3, into: "Patient") { patient, number in
                try patient.setValue("p\(number)", for: "name")
                if number == 2 { try patient.add(patient.context.fault(doctor), to: "doctors") }
            }
        }
        #expect(error?.code == .misuse && error?.element == 2)
        error = #expect(throws: StoreError.self) {
            try store.insert(many: 0..<3, into: "Patient") { patient, number in
                try patient.setValue("p\(number)", for: "name")
                if number == 1 { try patient.context.delete(patient) }
            }
        }
        #expect(error?.code == .misuse && error?.element == 1)
        #expect(try store.read { try $0.count("Patient") } == 0)
    }

    @Test func setsDefaults() throws {
        let model = try Model(entities: [
            EntityDescription(
                "Visit",
                attributes: [.string("reason", .default("none")), .uuid("key", .default(.newUUID))]
            )
        ])
        let store = try Store.inMemory(model: model, transformers: TransformerRegistry {})
        try store.insert(many: 0..<100, into: "Visit") { _, _ in }
        let keys = try store.read { try $0.fetch("Visit").map { try $0.value("key", as: UUID.self) } }
        #expect(Set(keys).count == 100)
        #expect(try store.read { try $0.count("Visit", where: Condition("reason = \"none\"")) } == 100)
    }

    @Test(arguments: [0, 15, 16, 700])
    func errorsNameTheElementThatFails(place: Int) throws {
        let error = #expect(throws: StoreError(code: .missingValue)) {
            try store.insert(many: Self.readings(1000), into: "Person") { person, reading in
                if reading.number != place { try Self.fill(person, reading) }
            }
        }
        #expect(error?.element == place)
        #expect(error?.attribute == "name")
        #expect(try store.read { try $0.count("Person") } == 0)
    }

    @Test func errorsNameTheElementThatIsNotUnique() throws {
        let model = try Model(entities: [EntityDescription("Tag", attributes: [.string("name", .unique)])])
        let store = try Store.inMemory(model: model, transformers: TransformerRegistry {})
        let names = (0..<900).map { "\($0 == 800 ? 3 : $0)" }
        let error = #expect(throws: StoreError(code: .notUnique)) {
            try store.insert(many: names, into: "Tag") { try $0.setValue($1, for: "name") }
        }
        #expect(error?.element == 800)
        #expect(error?.object == ObjectID(entity: "Tag", number: 801))
    }

    @Test func insertsNothingIfFillingFails() throws {
        #expect(throws: Stop.self) {
            try store.insert(many: Self.readings(1000), into: "Person") { person, reading in
                try Self.fill(person, reading)
                if reading.number == 900 { throw Stop() }
            }
        }
        #expect(try store.read { try $0.count("Person") } == 0)
    }

    @Test func reportsProgressAndEndsIfThatThrows() throws {
        let counts = Mutex<[Int]>([])
        #expect(throws: Stop.self) {
            let progress = { @Sendable (count: Int) in
                counts.withLock { $0.append(count) }
                if count > 100 { throw Stop() }
            }
            try store.insert(many: Self.readings(100_000), into: "Person", progress: progress, fill: Self.fill)
        }
        let told = counts.withLock(\.self)
        #expect(told.first == 16)
        #expect(told == told.sorted())
        #expect(try store.read { try $0.count("Person") } == 0)
    }

    @Test func fillingCannotReadTheFile() throws {
        let store = store
        #expect(throws: StoreError(code: .misuse)) {
            try store.insert(many: [1], into: "Person") { _, _ in _ = try store.read { try $0.count("Person") } }
        }
    }

    @Test func insertionIsPartOfItsTransaction() throws {
        try store.write { context in
            let first = try context.insert("Person")
            try first.setValue("first", for: "name")
            let numbers = try context.insert(many: Self.readings(40), into: "Person", fill: Self.fill)
            #expect(numbers == 2..<42)
            let last = try context.insert("Person")
            try last.setValue("last", for: "name")
            #expect(last.id.number == 42)
            #expect(try context.count("Person") == 42)
        }
        #expect(throws: Stop.self) {
            try store.write { context in
                try context.insert(many: Self.readings(40), into: "Person", fill: Self.fill)
                throw Stop()
            }
        }
        #expect(try store.read { try $0.count("Person") } == 42)
    }

    @Test func itsNumbersAreReservedIfTheCountIsKnown() throws {
        try store.write { context in
            var extra: Set<Int64> = []
            let progress = { (_: Int) throws in
                let person = try context.insert("Person")
                try person.setValue("extra", for: "name")
                extra.insert(person.id.number)
            }
            let numbers = try context.insert(
                many: Self.readings(600),
                into: "Person",
                progress: progress,
                fill: Self.fill
            )
            #expect(numbers.count == 600 && extra.isDisjoint(with: numbers) && extra.count > 2)
            let names = try numbers.map { number in
                try context.object(ObjectID(entity: "Person", number: number)).value("name", as: String.self)
            }
            #expect(names == (0..<600).map { "n\($0)" })
        }
    }

    /// The numbers of a sequence of unknown length would not be consecutive.
    @Test func otherInsertionsFailIfTheCountIsUnknown() throws {
        let error = #expect(throws: StoreError(code: .misuse)) {
            try store.write { context in
                try context.insert(
                    many: AnySequence(Self.readings(600)),
                    into: "Person",
                    progress: { _ in try context.insert("Person").setValue("extra", for: "name") },
                    fill: Self.fill
                )
            }
        }
        #expect(error?.entity == "Person")
        #expect(try store.read { try $0.count("Person") } == 0)
        let numbers = try store.insert(many: AnySequence(Self.readings(600)), into: "Person", fill: Self.fill)
        #expect(numbers == 1..<601)
    }

    @Test(arguments: [0, 1, 200]) func objectsArePendingInAnEditingContext(count: Int) throws {
        let context = store.makeContext()
        let other = store.makeContext()
        let before = try other.insert("Person")
        let numbers = try context.insert(many: Self.readings(count), into: "Person", fill: Self.fill)
        #expect(numbers.count == count && !numbers.contains(before.id.number))
        #expect(try context.count("Person", where: Condition("age >= 0")) == count)
        #expect(try store.read { try $0.count("Person") } == 0)
        #expect(try context.undo() == (count > 0))
        #expect(!context.hasChanges)
        try context.redo()
        try context.save()
        let ids = try store.read { try $0.ids("Person", sortedBy: [.ascending("age")]) }
        #expect(ids.map(\.number) == Array(numbers))
    }

    @Test func aFailureInAnEditingContextInsertsNothing() throws {
        let context = store.makeContext()
        let error = #expect(throws: StoreError.self) {
            try context.insert(many: Self.readings(9), into: "Person") { person, reading in
                try person.setValue(any: reading.number == 4 ? "x" : 4, for: "age")
            }
        }
        #expect(error?.code == .wrongType && error?.element == 4)
        #expect(!context.hasChanges && !context.canUndo)
    }

    @Test func checksCountsOfRelationships() throws {
        var visits = RelationshipDescription.toMany("visits", "Visit", inverse: "patient")
        visits.maximumCount = 3
        let model = try Model(entities: [
            EntityDescription("Patient", relationships: [visits]),
            EntityDescription("Visit", relationships: [.toOne("patient", "Patient")]),
        ])
        let store = try Store.inMemory(model: model, transformers: TransformerRegistry {})
        let patient = try store.write { try $0.insert("Patient").id.number }
        func visit(_ count: Int) throws {
            try store.insert(many: 0..<count, into: "Visit") { visit, _ in try visit.setValue(patient, for: "patient") }
        }
        try visit(3)
        #expect(throws: StoreError(code: .invalidValue)) { try visit(1) }
        #expect(try store.read { try $0.count("Visit") } == 3)
    }
}

extension BulkInsertionTests {
    /// An asynchronous sequence of readings that does not end by itself.
    private func stream(_ count: Int, thenWaits: Bool = false) -> AsyncStream<Reading> {
        AsyncStream { continuation in
            for reading in Self.readings(count) { continuation.yield(reading) }
            if !thenWaits { continuation.finish() }
        }
    }

    @Test func insertsAnAsynchronousSequenceInBatches() async throws {
        let counts = Mutex<[Int]>([])
        let count = try await store.insert(
            many: stream(25),
            into: "Person",
            batchSize: 10,
            progress: { count in counts.withLock { $0.append(count) } },
            fill: Self.fill
        )
        #expect(count == 25)
        #expect(counts.withLock(\.self) == [10, 20, 25])
        let names = try await store.read { try $0.fetch("Person").map { try $0.value("name", as: String.self) } }
        #expect(names == (0..<25).map { "n\($0)" })
    }

    @Test func keepsTheBatchesBeforeAFailure() async throws {
        let error = await #expect(throws: StoreError(code: .missingValue)) {
            try await store.insert(many: stream(25), into: "Person", batchSize: 10) { person, reading in
                if reading.number != 13 { try Self.fill(person, reading) }
            }
        }
        #expect(error?.element == 13)
        #expect(try await store.read { try $0.count("Person") } == 10)
    }

    @Test func endsIfItsTaskIsCanceled() async throws {
        let store = store
        let elements = stream(20, thenWaits: true)
        let (told, teller) = AsyncStream<Int>.makeStream()
        let task = Task {
            try await store.insert(
                many: elements,
                into: "Person",
                batchSize: 10,
                progress: { teller.yield($0) },
                fill: Self.fill
            )
        }
        for await count in told where count == 20 { break }
        task.cancel()
        // A canceled stream ends without an error. What was committed stays.
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(try await store.read { try $0.count("Person") } == 20)
    }
}

@Suite struct BulkUpdateTests {
    private let folder: Folder
    private let store: Store

    init() throws {
        folder = try Folder()
        store = try Store.people(in: folder)
    }

    @Test func changesTheObjectsThatInitiallyMatch() throws {
        try store.insert(many: 0..<2500, into: "Person") { person, number in
            try person.setValue("n\(number)", for: "name")
            try person.setValue(number, for: "age")
        }
        let count = try store.write { context in
            // Each change makes the condition true for the next object.
            try context.update("Person", where: Condition("age >= 1000")) { person in
                try person.setValue(try person.value("age", as: Int.self) - 600, for: "age")
            }
        }
        #expect(count == 1500)
        #expect(try store.read { try $0.count("Person", where: Condition("age >= 1000")) } == 900)
    }

    /// A folder denies its deletion as long as it has files, which are updated later.
    @Test func deletionsThatAreDeniedWaitForTheRestOfTheUpdate() throws {
        let model = try Model(entities: [
            EntityDescription(
                "Item",
                attributes: [.integer("number")],
                relationships: [
                    .toMany("files", "Item", inverse: "folder", deleteRule: .deny), .toOne("folder", "Item"),
                ]
            )
        ])
        let store = try Store.trial(model: model, transformers: TransformerRegistry {})
        try store.insert(many: 0..<1500, into: "Item") { try $0.setValue($1, for: "number") }
        try store.write { context in
            let items = try context.fetch("Item", sortedBy: [.ascending("number")])
            try items[0].add(items[1499], to: "files")
        }
        try store.write { context in
            _ = try context.update("Item", where: .all) { item in
                let number = try item.value("number", as: Int.self)
                if [0, 1499].contains(number) { try context.delete(item) }
            }
        }
        #expect(try store.read { try $0.count("Item") } == 1498)
    }

    @Test func changesNothingIfAChangeFails() throws {
        try store.insert(many: 0..<1500, into: "Person") { try $0.setValue("n\($1)", for: "name") }
        #expect(throws: StoreError(code: .wrongType)) {
            try store.write { context in
                var count = 0
                try context.update("Person", where: .all) { person in
                    count += 1
                    try person.setValue("x", for: count == 1400 ? "age" : "name")
                }
            }
        }
        #expect(try store.names(where: Condition("name = \"x\"")) == [])
    }
}
