import Foundation
import Synchronization
import Testing
import Transformable
import TransformableEntities
import TransformableSQLite
import TransformableStore

/// A class with hooks, which are called on the thread that creates its objects.
@Entity
final class Sample {
    var name = ""
    var steps = ""
    var grade: Grade
    @Relationship var room: Room?

    init(name: String, grade: Grade = .low) {
        self.name = name
        self.grade = grade
    }

    func awakeFromInsert() { steps += "awake \(name)" }

    func willSave() { steps += name == "curious" ? ", \(room == nil ? "no room" : "room")" : ", save" }

    func validateForInsert() throws {
        guard name != "bad" else { throw StoreError(.invalidValue, "a bad name") }
    }
}

@Suite struct EntityBulkTests {
    private func store() throws -> Store {
        try Store.inMemory(for: Sample.self, Room.self, transformers: TransformerRegistry {})
    }

    @Test func insertsManyObjects() throws {
        let store = try store()
        let room = try store.write { $0.insert(Room()).persistentID }
        let ids = try store.insert(many: 0..<2_000, into: Sample.self) { number in
            let sample = Sample(name: "\(number)", grade: number == 7 ? .high : .low)
            if number > 0 { try sample.setReference(\.room, to: room) }
            return sample
        }
        #expect(ids.map(\.number) == Array(1...2_000))
        try store.read { context in
            #expect(try context.count(Sample.self) == 2_000)
            let sample = try context.object(ids[7])
            #expect(sample.name == "7" && sample.grade == .high && sample.steps == "awake 7, save")
            #expect(sample.room?.persistentID == room)
            #expect(try context.object(ids[0]).room == nil)
        }
    }

    /// The hook's getter cannot throw, and would return that there is no room.
    @Test func updatesReportTheirProgress() throws {
        let store = try store()
        try store.insert(many: 0..<2_500, into: Sample.self) { Sample(name: "\($0)", grade: $0 < 1_100 ? .low : .high) }
        var counts: [Int] = []
        try store.write { context in
            let all = try context.update(Sample.self, progress: { counts.append($0) }) { $0.name += "'" }
            let low = #Predicate<Sample> { $0.grade.rawValue == 0 }
            let some = try context.update(Sample.self, where: low, progress: { counts.append($0) }) { _ in }
            #expect(all == 2_500 && some == 1_100)
        }
        #expect(counts == [1_000, 2_000, 1_000])
        #expect(try store.read { try $0.count(Sample.self, where: #Predicate { $0.name.contains("'") }) } == 2_500)
    }

    @Test func updatesNeedAContextThatCanWrite() throws {
        let store = try store()
        #expect(throws: StoreError(.readOnly, "")) { try store.read { try $0.update(Sample.self) { _ in } } }
    }

    @Test func visitsObjectsInBatches() throws {
        let store = try store()
        try store.insert(many: 0..<20, into: Sample.self) { Sample(name: "\($0)", grade: $0 < 5 ? .low : .high) }
        let batches = try store.read { context in
            var batches: [[String]] = []
            let order = [SortDescriptor(\Sample.name, order: .reverse)]
            try context.forEachBatch(Sample.self, of: 9, sortedBy: order) { batches.append($0.map(\.name)) }
            let low = #Predicate<Sample> { $0.grade.rawValue == 0 }
            try context.forEachBatch(Sample.self, of: 3, where: low) { batches.append($0.map(\.name)) }
            return batches
        }
        let names = (0..<20).map { "\($0)" }
        #expect(batches.map(\.count) == [9, 9, 2, 3, 2])
        #expect(Array(batches.prefix(3).joined()) == names.sorted(by: >))
        #expect(Array(batches.suffix(2).joined()) == Array(names.prefix(5)))
    }

    @Test(arguments: [false, true]) func aHookThatReadsRelatedObjectsFails(reports: Bool) throws {
        let options = Store.Options(quarantine: reports ? .report : .fail)
        let store = try Store.inMemory(
            for: Sample.self,
            Room.self,
            transformers: TransformerRegistry {},
            options: options
        )
        let room = try store.write { $0.insert(Room()).persistentID }
        let error = #expect(throws: StoreError.self) {
            try store.insert(many: ["a", "curious"], into: Sample.self) { name in
                let sample = Sample(name: name)
                try sample.setReference(\.room, to: room)
                return sample
            }
        }
        #expect(error?.code == .misuse && error?.element == 1)
        #expect(try store.read { try $0.count(Sample.self) } == 0)
    }

    @Test func insertsManyIntoAnEditingContext() throws {
        let context = try store().makeContext()
        let ids = try context.insert(many: ["a", "b"], into: Sample.self) { Sample(name: $0) }
        #expect(try context.object(ids[1]).name == "b")
        try context.save()
        #expect(
            try context.store.read { try $0.values(Sample.self, of: \.steps) } == ["awake a, save", "awake b, save"]
        )
    }

    @Test func insertsTheElementsOfAnAsynchronousSequence() async throws {
        let store = try store()
        let (stream, feed) = AsyncStream.makeStream(of: Int.self)
        for number in 0..<25 { feed.yield(number) }
        feed.finish()
        let told = Mutex<[Int]>([])
        let note = { @Sendable (count: Int) in told.withLock { $0.append(count) } }
        let count = try await store.insert(many: stream, into: Sample.self, batchSize: 10, progress: note) {
            Sample(name: "\($0)")
        }
        #expect(count == 25 && told.withLock { $0 } == [10, 20, 25])
    }

    @Test func errorsNameTheRejectedElement() throws {
        let store = try store()
        let error = #expect(throws: StoreError.self) {
            try store.insert(many: ["a", "b", "bad"], into: Sample.self) { Sample(name: $0) }
        }
        #expect(error?.code == .invalidValue && error?.element == 2)
        let related = #expect(throws: StoreError.self) {
            try store.insert(many: ["a"], into: Sample.self) { name in
                let sample = Sample(name: name)
                sample.room = Room()
                return sample
            }
        }
        #expect(related?.code == .misuse)
        #expect(related?.description.contains("setReference") == true)
        #expect(try store.read { try $0.count(Sample.self) } == 0)
    }

    @Test func setsReferencesByID() throws {
        let store = try store()
        try store.write { context in
            let room = context.insert(Room())
            let sample = Sample(name: "a")
            try sample.setReference(\.room, to: room.persistentID)
            context.insert(sample)
            #expect(sample.room === room)
            try sample.setReference(\.room, to: nil)
            #expect(sample.room == nil)
            try sample.setReference(\.room, to: room.persistentID)
        }
        #expect(try store.read { try $0.first(Sample.self)?.room?.persistentID.number } == 1)
    }
}
