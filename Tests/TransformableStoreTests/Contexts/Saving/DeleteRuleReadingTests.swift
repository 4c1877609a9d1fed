import Synchronization
import Testing
import Transformable

// Counts the statements of a block's own connection.
@testable import TransformableStore

@Suite(.eachEngine) struct DeleteRuleReadingTests {
    private final class Counter: Sendable {
        private let count = Atomic<Int>(0)
        var value: Int { count.load(ordering: .relaxed) }
        func add() { count.add(1, ordering: .relaxed) }
    }

    /// What leads to the objects is in two tables of objects and one of pairs.
    @Test(arguments: [DeleteRule.nullify, .deny]) func readsWhatLeadsToManyObjectsTogether(rule: DeleteRule) throws {
        let store = try Store.trial(model: RelationshipTests.clinic(rule), transformers: Transformers().registry())
        try store.write { context in
            for number in 0..<300 {
                let patient = try context.insert("Patient")
                try patient.setValue("\(number)", for: "name")
                guard number % 299 == 0 else { continue }
                try patient.setObject(context.insert("Locker"), for: "locker")
                let doctor = try context.insert("Doctor")
                try doctor.setValue("Dee", for: "name")
                try doctor.add(patient, to: "patients")
            }
        }
        let count = Counter()
        try store.write { context in
            for patient in try context.fetch("Patient") { try context.delete(patient) }
            let database = try context.database()
            database.countStatements { count.add() }
            defer { database.countStatements(nil) }
            try context.save()
        }
        // One for each deletion, and a few that read.
        #expect(count.value < 350)
        let related = try store.read { context in
            let lockers = try context.fetch("Locker").map { try $0.object("owner")?.id }
            return (lockers, try context.fetch("Doctor").flatMap { try $0.objects("patients") }.count)
        }
        #expect(related == ([nil, nil], 0))
    }

    @Test func readsWhatIsDeletedAlongWithManyObjectsTogether() throws {
        let store = try Store.trial(model: RelationshipTests.clinic(.cascade), transformers: Transformers().registry())
        try store.write { context in
            for number in 0..<300 {
                let patient = try context.insert("Patient")
                try patient.setValue("\(number)", for: "name")
                try patient.add(context.insert("Visit"), to: "visits")
            }
        }
        let count = Counter()
        try store.write { context in
            for patient in try context.fetch("Patient") { try context.delete(patient) }
            let database = try context.database()
            database.countStatements { count.add() }
            defer { database.countStatements(nil) }
            try context.save()
        }
        // One for each of 600 deletions, and a few that read.
        #expect(count.value < 650)
        #expect(try store.read { try $0.count("Visit") } == 0)
    }
}
