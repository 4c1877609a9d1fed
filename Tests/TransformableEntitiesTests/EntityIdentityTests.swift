import Testing
import TransformableEntities
import TransformableStore

/// One object of a class stands for a row, for as long as anyone holds it.
@Suite struct EntityIdentityTests {
    @Test func anObjectThatHasGoneIsMadeAnew() throws {
        let store = try Fixtures.store()
        try store.write { $0.insert(Ward()).title = "East" }
        try store.read { context in
            var held = try context.first(Ward.self)
            #expect(try context.first(Ward.self) === held)
            weak let earlier = held
            let object = try #require(held?.managedObject)
            held = nil
            #expect(earlier == nil)
            // The row's object outlives the class's, which must not be found in it any more.
            let again = try #require(try context.first(Ward.self))
            #expect(again.managedObject === object)
            #expect(again.title == "East")
        }
    }

    @Test func aDeinitMayAskForTheObjectThatGoes() throws {
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

    @Test func whatATransientPropertyHoldsMayAskForTheObjectThatGoes() throws {
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

/// Something with a `deinit` that an object holds.
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

/// A class that fetches its own row when an object of it goes.
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
