import Foundation
import Synchronization
import Testing
import Transformable

// Counts the statements of a block's own connection, and knows whether an object's row was read.
@testable import TransformableStore

/// Rows that are read many at a time, in blocks that write, where nothing is read before it is asked for.
@Suite(.eachEngine) struct PrefetchTests {
    private final class Counter: Sendable {
        private let count = Atomic<Int>(0)
        var value: Int { count.load(ordering: .relaxed) }
        func add() { count.add(1, ordering: .relaxed) }
    }

    /// A relationship, and the number of objects that it leads to from all objects.
    struct Case: CustomTestStringConvertible {
        let entity: String
        let relationship: String
        let count: Int

        var testDescription: String { "\(entity).\(relationship)" }
    }

    // More objects than one statement reads.
    private static let count = 300

    private static func statements(_ context: StoreContext, _ body: () throws -> Void) throws -> Int {
        let count = Counter()
        let connection = try context.database()
        connection.countStatements { count.add() }
        defer { connection.countStatements(nil) }
        try body()
        return count.value
    }

    /// Patients with two visits and a locker each, who share ten doctors.
    private static func clinic() throws -> Store {
        let store = try Store.trial(model: RelationshipTests.clinic(), transformers: Transformers().registry())
        try store.write { context in
            let doctors = try (0..<10).map { _ in try context.insert("Doctor") }
            for doctor in doctors { try doctor.setValue("Dee", for: "name") }
            for number in 0..<count {
                let patient = try context.insert("Patient")
                try patient.setValue("p\(number)", for: "name")
                for _ in 0..<2 { try patient.add(context.insert("Visit"), to: "visits") }
                try patient.add(doctors[number % 10], to: "doctors")
                try patient.setObject(context.insert("Locker"), for: "locker")
            }
        }
        return store
    }

    /// The objects that relationships lead to, one by one.
    private static func related(_ objects: [ManagedObject], _ name: String) throws -> Set<ObjectID> {
        let isToMany = ["visits", "doctors", "patients"].contains(name)
        return Set(
            try objects.flatMap { try isToMany ? $0.objects(name) : $0.object(name).map { [$0] } ?? [] }.map(\.id)
        )
    }

    @Test(arguments: [
        Case(entity: "Visit", relationship: "patient", count: 300),
        Case(entity: "Visit", relationship: "previous", count: 0),
        Case(entity: "Patient", relationship: "visits", count: 600),
        Case(entity: "Patient", relationship: "doctors", count: 10),
        Case(entity: "Doctor", relationship: "patients", count: 300),
        Case(entity: "Patient", relationship: "locker", count: 300),
        Case(entity: "Locker", relationship: "owner", count: 300),
    ])
    func aRelationshipOfManyObjectsTakesFewStatements(of example: Case) throws {
        let store = try Self.clinic()
        let expected = try store.read { try Self.related($0.fetch(example.entity), example.relationship) }
        try store.write { context in
            let owners = try context.fetch(example.entity)
            var found: [ManagedObject] = []
            let count = try Self.statements(context) {
                found = try context.prefetch(owners, example.relationship)
                #expect(found.allSatisfy { !$0.isFault })
            }
            #expect(count <= 9)
            #expect(found.count == example.count)
            #expect(Set(found.map(\.id)) == expected)
        }
    }

    /// What the context knows takes precedence over what is stored.
    @Test(arguments: [true, false]) func pendingChangesCount(isEditing: Bool) throws {
        let store = try Self.clinic()
        func change(_ context: StoreContext) throws {
            let patients = try context.fetch("Patient", sortedBy: [.ascending("name")], limit: 3)
            let visit = try context.insert("Visit")
            try patients[0].add(visit, to: "visits")
            try context.delete(patients[1].objects("visits")[0])
            try patients[2].setObjects([], for: "visits")
            let found = try context.prefetch(patients, "visits")
            #expect(found.count == 4 && found.contains(visit))
            #expect(try context.prefetch(found, "patient") == [patients[0], patients[1]])
            #expect(try context.prefetch(found + found, "patient").count == 2)
        }
        if isEditing { try change(store.makeContext()) } else { try store.write { try change($0) } }
    }

    @Test func aReferenceToAFamilyLeadsToEachOfItsEntities() throws {
        let store = try Store.trial(model: FamilyRelationshipTests.model(), transformers: Transformers().registry())
        try store.write { context in
            for number in 0..<Self.count {
                let animal = try OrderTests.make(number.isMultiple(of: 3) ? "Cat" : "Dog", "a\(number)", context)
                try OrderTests.make("Person", "p\(number)", context).setObject(animal, for: "favorite")
                try animal.add(OrderTests.make("Toy", "t\(number)", context), to: "toys")
            }
        }
        try store.write { context in
            let people = try context.fetch("Person")
            let count = try Self.statements(context) {
                let animals = try context.prefetch(people, "favorite")
                #expect(animals.count == Self.count && animals.allSatisfy { !$0.isFault })
                #expect(Set(animals.map(\.id.entity)) == ["Cat", "Dog"])
                // The owners are of two entities, with a table of pairs each.
                #expect(try context.prefetch(animals, "toys").count == Self.count)
            }
            #expect(count <= 20)
        }
    }

    @Test func requiresARelationshipAndTheContextOfTheObjects() throws {
        let store = try Self.clinic()
        let context = store.makeContext()
        let visits = try context.fetch("Visit", limit: 2)
        #expect(throws: StoreError(code: .unknownAttribute)) { try context.prefetch(visits, "cost") }
        #expect(throws: StoreError(code: .misuse)) { try store.makeContext().prefetch(visits, "patient") }
    }

    @Test func anUpdateReadsManyObjectsWithEachStatement() throws {
        let store = try Self.clinic()
        try store.write { context in
            var updated = 0
            let count = try Self.statements(context) {
                updated = try context.update("Visit", where: .all) { #expect(!$0.isFault) }
            }
            #expect(count <= 9 && updated == 600)
        }
    }

    @Test func aVerificationReadsTheProjectionsOfManyObjectsTogether() throws {
        let store = try Store.trial(model: Models.person(), transformers: Transformers().registry())
        try store.write { context in
            for number in 0..<Self.count {
                let person = try context.insert("Person")
                try person.setValue("p\(number)", for: "name")
                try person.setValue("secret \(number)", for: "secret")
            }
        }
        let count = try store.read { context in
            try Self.statements(context) {
                var verifier = Verifier(context)
                let found = try verifier.run { _ in }
                #expect(found.isSound)
                #expect(found.objectCount == Self.count)
            }
        }
        #expect(count < Self.count)
    }
}
