import Testing

// What a transaction records is internal.
@testable import TransformableStore

@Suite struct SaveRecordTests {
    /// Returns the record of a transaction that has changed 10,000 visits.
    private func record(listsAll: Bool = false) -> SaveRecord {
        let record = SaveRecord()
        record.begin(isObserved: true)
        record.listsAll = listsAll
        record.note(ObjectID(entity: "Doctor", number: 1), .inserted, [])
        for number in 1...10_000 as ClosedRange<Int64> {
            // Objects that are deleted again are not counted, and objects that are changed twice are counted once.
            record.note(ObjectID(entity: "Visit", number: 20_000 + number), .inserted, [])
            record.note(ObjectID(entity: "Visit", number: 20_000 + number), .deleted, [])
            record.note(ObjectID(entity: "Visit", number: number), .updated, ["cost"])
            record.note(ObjectID(entity: "Visit", number: number), .updated, ["date"])
        }
        return record
    }

    @Test func listsAsManyObjectsAsObserversLearnOf() {
        let changes = record().takeChanges()
        #expect(changes.updated.count == 10_000)
        #expect(changes.filtered(["Visit"]).isIncomplete == false)
    }

    @Test func omitsEntitiesWithMoreObjects() {
        let record = record()
        record.note(ObjectID(entity: "Visit", number: 10_001), .deleted, [])
        record.noteUpdate(ObjectID(entity: "Visit", number: 10_002), ["cost"])
        let changes = record.takeChanges()
        #expect(changes.inserted == [ObjectID(entity: "Doctor", number: 1)])
        #expect(changes.updated.isEmpty && changes.deleted.isEmpty)
        #expect(changes.filtered(["Visit"]).isIncomplete && changes.filtered(["Visit", "Doctor"]).isIncomplete)
        #expect(changes.filtered(["Doctor"]).isIncomplete == false)
        // The next transaction starts from the beginning.
        record.note(ObjectID(entity: "Visit", number: 1), .inserted, [])
        #expect(record.takeChanges().inserted.count == 1)
    }

    @Test func listsAllForARehearsal() {
        let record = record(listsAll: true)
        record.note(ObjectID(entity: "Visit", number: 10_001), .updated, ["cost"])
        #expect(record.takeChanges().updated.count == 10_001)
    }
}
