import Foundation
import StandardPlugin
import Testing
import Transformable
import TransformableEntities
import TransformableSQLite
import TransformableStore

@Entity(isAbstract: true)
class Account {
    @Attribute(.indexed) var number: String
    var balance = 0.0
    @Relationship var holder: Holder?

    init(number: String) { self.number = number }

    func willSave() throws { balance.round(.down) }
}

@Entity
final class Savings: Account {
    var rate: Double

    init(number: String, rate: Double) {
        super.init(number: number)
        self.rate = rate
    }
}

@Entity
final class Checking: Account {
    var limit = 0.0
}

@Entity
final class Holder {
    var name = ""
    @Relationship(inverse: \Account.holder) var accounts: [Account]
}

@Suite final class InheritanceSampleTests {
    private let url = FileManager.default.temporaryDirectory.appending(path: "accounts-\(UUID()).sqlite")
    private let store: Store

    init() throws {
        let registry = try TransformerRegistry { StandardPlugin() }
        let store = try Store(
            at: url,
            for: Account.self,
            Savings.self,
            Checking.self,
            Holder.self,
            transformers: registry
        )
        try store.write { context in
            let holder = context.insert(Holder())
            let checking = Checking(number: "2")
            checking.balance = -3.5
            holder.accounts = [checking, Savings(number: "1", rate: 0.03)]
        }
        self.store = store
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    @Test func fetchesAFamily() throws {
        try store.read { context in
            let accounts = try context.fetch(Account.self, sortedBy: [SortDescriptor(\.number)])
            let rates = accounts.compactMap { ($0 as? Savings)?.rate }
            let last = try context.first(Holder.self)?.accounts.last as? Checking
            #expect(rates == [0.03] && accounts.map(\.number) == ["1", "2"])
            #expect(last === accounts[1] && last?.balance == -4)
            let savings = try #require(accounts[0] as? Savings)
            let id = PersistentID<Account>(savings.persistentID.objectID)
            #expect(try context.object(id) === savings)
        }
    }

    @Test func findsObjectsOfAChild() throws {
        let generous = #Predicate<Account> { (($0 as? Savings)?.rate ?? 0) > 0.02 }
        let overdrawn = #Predicate<Account> { $0 is Checking && $0.balance < 0 }
        let savers = #Predicate<Holder> { $0.accounts.contains { $0 is Savings } }
        try store.read { context in
            let byName = try Condition("Savings.rate > 0.02 and Savings is not null")
            #expect(try context.fetch(Account.self, where: generous).map(\.number) == ["1"])
            #expect(try context.fetch(Account.self, where: overdrawn).map(\.number) == ["2"])
            #expect(try context.count(Holder.self, where: savers) == 1)
            #expect(try context.count(Account.self, where: byName) == 1)
        }
    }
}
