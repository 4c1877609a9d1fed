import Foundation
import Testing
import Transformable
import TransformableEntities
import TransformableSQLite
import TransformableStore

@Entity
final class Journal {
    var lines: [String] = []
    var saves = 0
    @Transient var isAwake = false

    func awakeFromInsert() { lines.append("made") }

    func awakeFromFetch() { isAwake = true }

    func willSave() throws { saves += 1 }

    func prepareForDeletion() throws {
        if saves < 2 { throw TooYoung() }
    }
}

struct TooYoung: Error {}

/// Methods in extensions, and names that only look like those of hooks.
@Entity
final class Diary {
    var lines: [String] = []
    var willSave = 0
    @Transient var isAwake = false

    func didSave(twice: Bool) { lines.append("twice") }

    #if os(Linux)
    func prepareForDeletion() throws { throw TooYoung() }
    #endif
}

extension Diary {
    func awakeFromInsert() { lines.append("made") }

    private func awakeFromFetch() { isAwake = true }

    @discardableResult
    fileprivate func validateForInsert() throws -> Bool {
        if lines.count > 1 { throw TooYoung() }
        return true
    }
}

/// A class whose hook uses relationships that were set before the insertion.
@Entity
final class Crate {
    var seen: [String] = []
    @Relationship var ward: Ward?
    @Relationship(inverse: \Sticker.crate) var stickers: [Sticker]
    @Relationship(inverse: \Route.crates) var routes: [Route]
    @Transient var isRefused = false

    func awakeFromInsert() throws {
        if isRefused { throw TooYoung() }
        seen = [ward?.title ?? "", "\(stickers.count)"]
        stickers.append(Sticker(text: "hook"))
    }
}

@Entity
final class Sticker {
    var text: String
    @Relationship var crate: Crate?

    init(text: String) { self.text = text }
}

@Entity
final class Route {
    @Relationship var crates: [Crate]
}

@Suite struct EntityHookTests {
    let store: Store

    init() throws {
        store = try Store.inMemory(for: Journal.self, Ward.self, transformers: Fixtures.registry())
    }

    @Test func callsTheMethodsOfTheClass() throws {
        try store.write { context in
            let journal = context.insert(Journal())
            #expect(journal.lines == ["made"])
            #expect(journal.isAwake == false)
        }
        try store.read { context in
            let journal = try #require(try context.first(Journal.self))
            #expect(journal.saves == 1)
            #expect(journal.isAwake)
        }
    }

    @Test func rethrowsErrorsOfMethods() throws {
        let id = try store.write { $0.insert(Journal()).persistentID }
        #expect(throws: TooYoung.self) {
            try store.write { try $0.delete($0.object(id)) }
        }
        try store.write { try $0.object(id).lines.append("second") }
        try store.write { try $0.delete($0.object(id)) }
        #expect(try store.read { try $0.count(Journal.self) } == 0)
    }

    @Test func aModelOfClassesHasTheirHooks() throws {
        let request = FetchRequestDescription("saved", of: "Journal", where: "saves > 0")
        let model = try Model(of: Journal.self, fetchRequests: [request])
        var hooks = EntityHooks()
        hooks.willSave = { journal in
            let count = try journal.value("saves", as: Int.self)
            try journal.setValue(count * 10, for: "saves")
        }
        let store = try Store.inMemory(model: model, transformers: Fixtures.registry(), hooks: ["Journal": hooks])
        try store.write { _ = $0.insert(Journal()) }
        try store.read { context in
            let journals = try context.fetch(Journal.self, request: "saved")
            #expect(journals.map(\.lines) == [["made"]])
            #expect(journals.map(\.saves) == [10])
        }
    }

    @Test func callsMethodsOfExtensions() throws {
        let store = try Store.inMemory(for: Diary.self, transformers: Fixtures.registry())
        try store.write { context in
            let diary = context.insert(Diary())
            #expect(diary.lines == ["made"])
        }
        try store.read { context in
            let diary = try #require(try context.first(Diary.self))
            #expect(diary.isAwake)
        }
        #expect(throws: TooYoung.self) {
            try store.write { $0.insert(Diary()).lines.append("second") }
        }
        #expect(throws: TooYoung.self) { try store.write { try $0.delete(Diary.self, where: .all) } }
    }

    @Test func aHookThatFailsDuringARefreshFailsOneSave() throws {
        let store = try Store.inMemory(for: Ledger.self, transformers: TransformerRegistry {})
        let context = store.makeContext()
        let ledger = context.insert(Ledger(code: "a", total: 5))
        try context.save()
        ledger.total = 6
        try context.undo()
        let id = ledger.persistentID.objectID
        try store.write { try $0.object(id).setValue(-1, for: "total") }
        context.refreshAll()
        #expect(context.canRedo)
        let error = #expect(throws: StoreError.self) { try context.save() }
        #expect(error?.underlying is TooYoung)
        try context.save()
    }

    private func crates() throws -> Store {
        try Store.inMemory(
            for: Crate.self,
            Sticker.self,
            Route.self,
            Ward.self,
            transformers: Fixtures.registry()
        )
    }

    @Test func hooksSeeRelationshipsThatWereSetBeforeTheInsertion() throws {
        try crates()
            .write { context in
                let (crate, ward) = (Crate(), Ward())
                ward.title = "East"
                (crate.ward, crate.stickers) = (ward, [Sticker(text: "a"), Sticker(text: "b")])
                context.insert(crate)
                #expect(crate.seen == ["East", "2"])
                #expect(crate.stickers.map(\.text) == ["a", "b", "hook"])
            }
    }

    @Test func aRetriedInsertionLeavesNothingOfTheFirstAttempt() throws {
        let store = try crates()
        let context = store.makeContext()
        let (crate, route) = (Crate(), context.insert(Route()))
        crate.routes = [route]
        crate.isRefused = true
        context.insert(crate)
        #expect(crate.managedObject == nil && route.crates.isEmpty)
        crate.isRefused = false
        try context.save()
        #expect(route.crates == [crate])
        let counts = try store.read { (try $0.count(Crate.self), try $0.first(Route.self)?.crates.count) }
        #expect(counts == (1, 1))
    }
}
