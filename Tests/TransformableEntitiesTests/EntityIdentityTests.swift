import Testing
import TransformableEntities
import TransformableSQLite
import TransformableStore

/// A row is represented by a single object of a class for as long as it is referenced.
@Suite struct EntityIdentityTests {
    @Test func aDeallocatedObjectIsCreatedAgain() throws {
        let store = try Fixtures.store()
        try store.write { $0.insert(Ward()).title = "East" }
        try store.read { context in
            var held = try context.first(Ward.self)
            #expect(try context.first(Ward.self) === held)
            weak let earlier = held
            let object = try #require(held?.managedObject)
            held = nil
            #expect(earlier == nil)
            // The managed object outlives the entity object, which must no longer be reachable.
            let again = try #require(try context.first(Ward.self))
            #expect(again.managedObject === object)
            #expect(again.title == "East")
        }
    }

    @Test func anObjectIsReleasedOnceItIsWrittenBeforeAnotherThatIsInvalidSoFar() throws {
        let store = try Fixtures.store()
        weak var written: Ward?
        try store.write { context in
            written = context.insert(Ward())
            #expect(written != nil)
            let patient = context.insert(Patient(name: "Ada"))
            patient.count = 10
            let count = try context.count(Ward.self)
            #expect(count == 1)
            patient.count = 9
        }
        #expect(written == nil)
        #expect(try store.read { try $0.count(Patient.self) } == 1)
    }

    @Test func aDeinitializerCanFetchItsOwnObject() throws {
        let store = try Store.inMemory(for: Farewell.self, transformers: Fixtures.registry())
        try store.write { _ = $0.insert(Farewell("Ada")) }
        let names = try store.read { context in
            let log = Farewell.Log()
            var held = try context.first(Farewell.self)
            held?.context = context
            held?.log = log
            held = nil
            return log.names
        }
        #expect(names == ["Ada"])
    }

    @Test func anObjectInATransientPropertyCanFetchItsOwner() throws {
        let store = try Store.inMemory(for: Guarded.self, transformers: Fixtures.registry())
        try store.write { _ = $0.insert(Guarded("Ada")) }
        let names = try store.read { context in
            let log = Farewell.Log()
            var held = try context.first(Guarded.self)
            held?.guardian = Guardian(context, log)
            held = nil
            return log.names
        }
        #expect(names == ["Ada"])
    }
}

@Entity
final class Guarded {
    var name: String
    @Transient var guardian: Guardian?

    init(_ name: String) { self.name = name }
}

/// A value with a `deinit` in a property of an object.
final class Guardian {
    private let context: StoreContext
    private let log: Farewell.Log

    init(_ context: StoreContext, _ log: Farewell.Log) {
        self.context = context
        self.log = log
    }

    deinit {
        guard let again = try? context.first(Guarded.self) else { return }
        log.names.append(again.name)
    }
}

/// A class whose `deinit` fetches its own row.
@Entity
final class Farewell {
    final class Log {
        var names: [String] = []
    }

    var name: String
    @Transient var context: StoreContext?
    @Transient var log: Log?

    init(_ name: String) {
        self.name = name
    }

    deinit {
        guard let context, let again = try? context.first(Farewell.self) else { return }
        log?.names.append(again.name)
    }
}
