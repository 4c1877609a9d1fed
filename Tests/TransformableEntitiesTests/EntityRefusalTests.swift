import Foundation
import GRDB
import Testing
import Transformable
import TransformableEntities
import TransformableSQLite
import TransformableStore

/// A class whose hook rejects the insertion of an object.
@Entity
final class Receipt {
    var lines: [String] = []
    @Relationship var ward: Ward?
    @Relationship var previous: Receipt?
    @Transient var isRefused = false

    func awakeFromInsert() throws {
        lines.append("made")
        if isRefused { throw TooYoung() }
    }
}

/// A class whose hook fetches, which writes what is pending in a block, and then rejects an object.
@Entity
final class Ticket {
    @Attribute(.unique) var code: String
    @Relationship var previous: Ticket?

    init(code: String) { self.code = code }

    func awakeFromInsert() throws {
        _ = try managedObject?.context.count("Ticket")
        if code == "refused" { throw TooYoung() }
    }
}

/// A change that fails at first stays pending and is never lost.
@Suite struct EntityRefusalTests {
    private let url = FileManager.default.temporaryDirectory.appending(
        path: "refusal-\(UUID()).sqlite"
    )

    private func store(_ options: Store.Options = Store.Options(busyTimeout: .milliseconds(20))) throws -> Store {
        try Store(
            at: url,
            for: Patient.self,
            Visit.self,
            Ward.self,
            Basket.self,
            Apple.self,
            transformers: Fixtures.registry(),
            options: options
        )
    }

    /// Runs a closure while another connection prevents writing to the file.
    private func locked(_ body: () throws -> Void) throws {
        let other = try DatabaseQueue(path: url.path)
        try other.inDatabase { database in
            try database.execute(sql: "BEGIN IMMEDIATE")
            defer { try? database.execute(sql: "ROLLBACK") }
            try body()
        }
        try other.close()
    }

    @Test func anInsertionIsPendingWhileAnotherProgramWrites() throws {
        let store = try store()
        let context = store.makeContext()
        let ward = Ward()
        try locked {
            context.insert(ward)
            #expect(context.hasChanges)
            for _ in 0..<2 { #expect(throws: StoreError(.busy, "")) { try context.save() } }
            let count = try store.read { try $0.count(Ward.self) }
            #expect(count == 0)
        }
        ward.title = "East"
        try context.save()
        #expect(!context.hasChanges && ward.persistentID.number > 0)
        #expect(try store.read { try $0.fetch(Ward.self).map(\.title) } == ["East"])
        try context.save()
        #expect(try store.read { try $0.count(Ward.self) } == 1)
    }

    @Test func relatedObjectsAreInsertedTogether() throws {
        let store = try store()
        let context = store.makeContext()
        // The context now has reserved numbers for patients, but not for visits.
        context.insert(Patient(name: "Ada"))
        try context.save()
        try locked {
            let patient = Patient(name: "Bea")
            patient.visits = [Visit(reason: "a"), Visit(reason: "b")]
            context.insert(patient)
            #expect(throws: StoreError(.busy, "")) { try context.save() }
        }
        try context.save()
        let reasons = try store.read { context in
            try context.fetch(Patient.self).map { $0.visits.map(\.reason) }
        }
        #expect(reasons == [[], ["a", "b"]])
    }

    @Test func appendedObjectsArePending() throws {
        let store = try store()
        let context = store.makeContext()
        let basket = context.insert(Basket())
        try context.save()
        try locked {
            basket.row.append(Apple(1))
            basket.row.append(Apple(2))
            basket.heap = [Apple(3)]
            #expect(throws: StoreError(.busy, "")) { try context.save() }
            #expect(throws: StoreError(.busy, "")) { try context.save() }
        }
        basket.row.append(Apple(4))
        #expect(basket.row.map(\.number) == [4])
        try context.save()
        #expect(basket.row.map(\.number) == [4, 1, 2])
        let rows = try store.read { context in
            let basket = try #require(try context.first(Basket.self))
            return [basket.row.map(\.number), basket.heap.map(\.number)]
        }
        #expect(rows == [[4, 1, 2], [3]])
    }

    @Test func anotherChangeReplacesARefusedOne() throws {
        let store = try store()
        let context = store.makeContext()
        let (patient, ward) = (context.insert(Patient(name: "Ada")), Ward())
        try context.save()
        try locked {
            patient.ward = ward
            #expect(context.hasChanges)
        }
        patient.ward = nil
        #expect(!context.hasChanges)
        try context.save()
        #expect(try store.read { try $0.count(Ward.self) } == 0)
    }

    @Test func aChangeFromTheOtherSideReplacesARefusedOne() throws {
        let context = try store().makeContext()
        let (ada, bea) = (context.insert(Patient(name: "Ada")), context.insert(Patient(name: "Bea")))
        let visit = context.insert(Visit(reason: "a"))
        try context.save()
        try context.delete(bea)
        visit.patient = bea
        #expect(throws: StoreError(.misuse, "")) { try context.save() }
        ada.visits.append(visit)
        try context.save()
        #expect(visit.patient === ada)
    }

    /// If the change had not been refused, the list would not have contained the visit anymore.
    @Test func aRemovalFromAListKeepsARefusedChange() throws {
        let context = try store().makeContext()
        let (ada, bea) = (context.insert(Patient(name: "Ada")), context.insert(Patient(name: "Bea")))
        let visit = context.insert(Visit(reason: "a"))
        ada.visits.append(visit)
        try context.save()
        try context.delete(bea)
        visit.patient = bea
        ada.visits.removeAll { $0 === visit }
        #expect(throws: StoreError(.misuse, "")) { try context.save() }
    }

    /// Between two objects, there is room for 16 others before all of them get new positions.
    @Test func makingRoomInAListKeepsRefusedChanges() throws {
        let context = try store().makeContext()
        let (basket, other) = (context.insert(Basket()), context.insert(Basket()))
        let last = context.insert(Apple(2))
        basket.row = [Apple(1), last]
        try context.save()
        try context.delete(other)
        last.basket = other
        for number in 3..<23 { basket.row.insert(Apple(number), at: 1) }
        #expect(throws: StoreError(.misuse, "")) { try context.save() }
    }

    /// The assignment may also be refused at first.
    @Test(arguments: [true, false]) func anAssignedListReplacesRefusedChangesOfIt(isRefused: Bool) throws {
        let store = try store()
        let context = store.makeContext()
        let basket = context.insert(Basket())
        basket.row = [Apple(1)]
        try context.save()
        // The remaining numbers.
        for number in 0..<63 { context.insert(Apple(number)) }
        context.rollback()
        try locked {
            basket.row.insert(Apple(2), at: 0)
            basket.row.append(Apple(3))
            if isRefused { basket.row = [Apple(4), Apple(5)] }
        }
        if !isRefused { basket.row = [Apple(4), Apple(5)] }
        try context.save()
        #expect(basket.row.map(\.number) == [4, 5])
        let numbers = try store.read { try $0.fetch(Apple.self).map(\.number) }
        #expect(numbers.sorted() == [1, 4, 5])
    }

    @Test func undoingTheReplacementRestoresTheRefusedChange() throws {
        let store = try store()
        let context = store.makeContext()
        let (patient, ward) = (context.insert(Patient(name: "Ada")), Ward())
        try context.save()
        try locked { patient.ward = ward }
        patient.ward = nil
        #expect(!context.hasChanges)
        try context.undo()
        #expect(context.hasChanges)
        try context.redo()
        #expect(!context.hasChanges)
        try context.undo()
        try context.save()
        #expect(patient.ward === ward)
        #expect(try store.read { try $0.count(Ward.self) } == 1)
    }

    @Test func rearrangingUsesOnlyExistingObjects() throws {
        let store = try store()
        let context = store.makeContext()
        let basket = context.insert(Basket())
        basket.row = [Apple(1), Apple(2)]
        try context.save()
        // The remaining numbers.
        for number in 0..<62 { context.insert(Apple(number)) }
        context.rollback()
        try locked { basket.row.insert(Apple(3), at: 1) }
        try context.save()
        #expect(basket.row.map(\.number) == [1, 3, 2])
        for number in 0..<63 { context.insert(Apple(number)) }
        context.rollback()
        try locked { basket.row.insert(Apple(4), at: 1) }
        basket.row.removeLast()
        #expect(throws: StoreError(.busy, "")) { try context.save() }
        #expect(throws: StoreError(.busy, "")) { try context.save() }
        context.rollback()
        try context.save()
        #expect(basket.row.map(\.number) == [1, 3, 2])
    }

    @Test func refusedChangesCanBeUndoneAndRedone() throws {
        let store = try store()
        let context = store.makeContext()
        try locked {
            context.insert(Ward())
            #expect(context.canUndo)
            try context.undo()
            #expect(!context.hasChanges)
            try context.save()
            try context.redo()
            #expect(throws: StoreError(.busy, "")) { try context.save() }
            context.rollback()
            #expect(!context.hasChanges)
            try context.save()
        }
        #expect(try store.read { try $0.count(Ward.self) } == 0)
    }

    @Test func aDeletionDiscardsRefusedChanges() throws {
        let store = try store()
        let context = store.makeContext()
        let patient = context.insert(Patient(name: "Ada"))
        try context.save()
        try locked { patient.ward = Ward() }
        #expect(context.hasChanges)
        try context.delete(patient)
        try context.undo()
        #expect(context.hasChanges)
        try context.redo()
        try context.save()
        #expect(try store.read { (try $0.count(Patient.self), try $0.count(Ward.self)) } == (0, 0))
    }

    @Test func refreshingDiscardsRefusedChanges() throws {
        let store = try store()
        let context = store.makeContext()
        let patient = context.insert(Patient(name: "Ada"))
        try context.save()
        try locked { patient.ward = Ward() }
        try context.refresh(patient)
        #expect(!context.hasChanges)
        try context.save()
        #expect(try store.read { try $0.count(Ward.self) } == 0)
    }

    @Test(arguments: [true, false]) func anInsertionIsRetriedAsAWhole(isInGroup: Bool) throws {
        let store = try Store.inMemory(for: Receipt.self, Ward.self, transformers: Fixtures.registry())
        let context = store.makeContext()
        let ward = context.insert(Ward())
        try context.save()
        let (receipt, next) = (Receipt(), Receipt())
        receipt.isRefused = true
        receipt.ward = ward
        next.ward = Ward()
        next.previous = receipt
        if isInGroup { try context.group { _ = context.insert(next) } } else { context.insert(next) }
        #expect(receipt.managedObject == nil && next.managedObject == nil)
        for _ in 0..<2 {
            #expect(throws: TooYoung.self) {
                do { try context.save() } catch let error as StoreError { throw error.underlying ?? error }
            }
        }
        #expect(try store.read { try $0.count(Receipt.self) } == 0)
        receipt.isRefused = false
        try context.save()
        #expect(next.previous === receipt && receipt.ward === ward)
        #expect(!context.hasChanges)
        let lines = try store.read { context in
            try context.fetch(Receipt.self).map { "\($0.lines) \($0.ward != nil) \($0.previous?.lines ?? [])" }
        }
        #expect(Set(lines) == ["[\"made\"] true []", "[\"made\"] true [\"made\"]"])
        #expect(try store.read { try $0.count(Ward.self) } == 2)
    }

    @Test func aFailedInsertionCanBeUndone() throws {
        let store = try Store.inMemory(for: Receipt.self, Ward.self, transformers: Fixtures.registry())
        let context = store.makeContext()
        let receipt = Receipt()
        receipt.isRefused = true
        context.insert(receipt)
        try context.undo()
        #expect(!context.hasChanges)
        try context.save()
        receipt.isRefused = false
        receipt.lines = ["kept"]
        context.insert(receipt)
        try context.save()
        #expect(try store.read { try $0.fetch(Receipt.self).map(\.lines) } == [["kept", "made"]])
    }

    @Test func aLaterInsertionOfTheSameObjectDiscardsTheErrorInABlock() throws {
        let store = try Store.inMemory(for: Receipt.self, Ward.self, transformers: Fixtures.registry())
        try store.write { context in
            let receipt = Receipt()
            receipt.isRefused = true
            context.insert(receipt)
            receipt.isRefused = false
            context.insert(receipt)
        }
        #expect(try store.read { try $0.count(Receipt.self) } == 1)
    }

    /// The hook of the second object fails after the first one was written.
    @Test func aFailedInsertionLeavesNothingInABlock() throws {
        let store = try Store.inMemory(for: Ticket.self, Ward.self, transformers: Fixtures.registry())
        try store.write { context in
            let ticket = Ticket(code: "new")
            ticket.previous = Ticket(code: "refused")
            #expect(throws: TooYoung.self) { try context.upsert(ticket) }
            let count = try context.count(Ticket.self)
            #expect(count == 0)
            #expect(ticket.managedObject == nil && ticket.code == "new" && ticket.previous?.code == "refused")
        }
        let count = try store.read { try $0.count(Ticket.self) }
        #expect(count == 0)
    }

    @Test func aReadOnlyStoreRejectsEverySave() throws {
        let id = try store().write { $0.insert(Patient(name: "Ada")).persistentID }
        let store = try store(Store.Options(opening: .readOnly))
        let context = store.makeContext()
        let patient = try context.object(id)
        context.insert(Ward())
        for _ in 0..<2 { #expect(throws: StoreError(.readOnly, "")) { try context.save() } }
        context.rollback()
        try context.save()
        patient.name = "Bea"
        patient.visits.append(Visit())
        #expect(context.hasChanges)
        for _ in 0..<2 { #expect(throws: StoreError(.readOnly, "")) { try context.save() } }
        context.rollback()
        try context.save()
    }

    @Test func aBlockThrowsErrorsOfASaveInIt() throws {
        let store = try Fixtures.store()
        let other = try Fixtures.store()
        // Written in a block that has ended when it is read.
        nonisolated(unsafe) var ward: Ward?
        try other.write { ward = $0.insert(Ward()) }
        let stranger = try #require(ward)
        func edit(_ context: StoreContext) {
            context.insert(Patient(name: "Ada"))
            context.insert(stranger)
            #expect(throws: StoreError(.misuse, "")) { try context.save() }
        }
        #expect(throws: StoreError(.misuse, "")) { try store.write { edit($0) } }
        #expect(try store.read { try $0.count(Patient.self) } == 0)
    }
}
