import Foundation
import Testing
import Transformable
import TransformableEntities
import TransformableSQLite
import TransformableStore

/// An object whose transient state is stored when it is saved, and computed when it is fetched.
@Entity
final class Swatch {
    var hex = ""
    var title = ""
    @Transient var color: Int?
    @Transient var awakenings = 0
    @Transient var prepared: [String] = []
    @Relationship(deleteRule: .cascade, inverse: \Swatch.base) var shades: [Swatch]
    @Relationship var base: Swatch?

    func awakeFromFetch() {
        color = Int(hex, radix: 16)
        awakenings += 1
    }

    func willSave() {
        if let color, hex != String(color, radix: 16) { hex = String(color, radix: 16) }
    }

    func didSave() {
        if title == "late" { hex = "lost" }
    }

    func prepareForDeletion() {
        base?.prepared.append(title)
        if let base { title = base.title + title }
    }
}

/// An object whose hook cannot compute the state of each row.
@Entity
final class Gauge {
    var text = "0"
    var title = ""
    @Transient var number = 0

    func awakeFromFetch() throws {
        guard let number = Int(text) else { throw TooYoung() }
        self.number = number
    }

    func willSave() { text = number < 0 ? "none" : String(number) }
}

/// A class whose objects run code when they are deallocated.
@Entity
final class Lasting {
    var hex = ""
    @Transient var color: Int?

    func willSave() { hex = color.map { String($0, radix: 16) } ?? "none" }

    deinit {
        color = nil
    }
}

/// An object that computes its state when it is first needed.
@Entity
final class Lookup {
    var hex = ""
    @Transient var isSelected = false
    @Transient private var known: Int?

    var color: Int? {
        if let known { return known }
        known = Int(hex, radix: 16)
        return known
    }
}

@Suite struct EntityTransientTests {
    let store: Store

    init() throws {
        store = try Store.inMemory(for: Swatch.self, Lasting.self, transformers: Fixtures.registry())
    }

    private func add(_ color: Int, _ title: String = "") throws -> PersistentID<Swatch> {
        try store.write { context in
            let swatch = context.insert(Swatch())
            swatch.color = color
            swatch.title = title
            return swatch.persistentID
        }
    }

    @Test func stateLastsUntilTheObjectIsSaved() throws {
        let id = try add(0xff)
        #expect(try store.read { try $0.object(id).hex } == "ff")
        try store.write { context in
            let swatch = try context.object(id)
            swatch.color = 0x10
            swatch.title = "changed"
        }
        #expect(try store.read { try $0.object(id).hex } == "10")
        let lasting = try store.write { context in
            let lasting = context.insert(Lasting())
            lasting.color = 0xff
            return lasting.persistentID
        }
        #expect(try store.read { try $0.object(lasting).hex } == "ff")
    }

    @Test func stateLastsInAnEditingContext() throws {
        let context = store.makeContext()
        func insert() -> PersistentID<Swatch> {
            let swatch = context.insert(Swatch())
            swatch.color = 0xff
            return swatch.persistentID
        }
        let id = insert()
        #expect(try context.fetch(Swatch.self).map(\.color) == [0xff])
        try context.save()
        #expect(try store.read { try $0.object(id).hex } == "ff")
    }

    @Test func objectsAreReleasedAfterASaveOrRollback() throws {
        weak var saved: Swatch?
        weak var failed: Swatch?
        try store.write { context in
            saved = context.insert(Swatch())
            #expect(saved != nil)
        }
        #expect(saved == nil)
        #expect(throws: TooYoung.self) {
            try store.write { context in
                failed = context.insert(Swatch())
                throw TooYoung()
            }
        }
        #expect(failed == nil)
        let context = store.makeContext()
        weak let edited = context.insert(Swatch())
        #expect(edited != nil)
        try context.save()
        #expect(edited == nil)
        weak let given = context.insert(Swatch())
        #expect(given != nil)
        context.rollback()
        #expect(given == nil)
    }

    @Test(arguments: [true, false]) func settingOnlyTransientStateMarksTheObjectAsChanged(isEditing: Bool) throws {
        let id = try add(0xff)
        func paint(_ context: StoreContext) throws {
            let swatch = try context.object(id)
            #expect(!context.hasChanges)
            swatch.color = 0x10
            #expect(context.hasChanges)
            #expect(context.updatedObjects.map(\.id) == [swatch.managedObject?.id])
            try context.save()
            #expect(!context.hasChanges)
        }
        if isEditing { try paint(store.makeContext()) } else { try store.write { try paint($0) } }
        #expect(try store.read { try $0.object(id).hex } == "10")
    }

    @Test func aTransientChangeWritesNothing() throws {
        let id = try add(0xff)
        let context = store.makeContext()
        let swatch = try context.object(id)
        swatch.awakenings = 7
        try context.save()
        try store.write { try $0.object(id).title = "changed meanwhile" }
        // If the first save had written the row, there would be a conflict here.
        swatch.awakenings = 8
        try context.save()
        #expect(try store.read { try $0.object(id).title } == "changed meanwhile")
    }

    @Test func aRollbackOrRefreshRevertsTheChange() throws {
        let id = try add(0xff)
        let context = store.makeContext()
        let swatch = try context.object(id)
        swatch.color = 1
        context.rollback()
        #expect(!context.hasChanges)
        #expect(swatch.color == 0xff)
        swatch.title = "changed"
        try context.save()
        #expect(try store.read { try $0.object(id).hex } == "ff")
        swatch.color = 1
        try context.refresh(try #require(swatch.managedObject))
        #expect(swatch.color == 0xff)
        #expect(!context.hasChanges)
    }

    @Test func awakensOncePerFetch() throws {
        let id = try add(0xff)
        try store.read { context in
            let swatch = try context.object(id)
            #expect(swatch.awakenings == 1)
            #expect(swatch.color == 0xff)
            _ = try context.fetch(Swatch.self)
            #expect(try context.object(id).awakenings == 1)
        }
    }

    @Test func neverAwakensInsertedObjects() throws {
        try store.write { context in
            let swatch = context.insert(Swatch())
            let fetched = try context.fetch(Swatch.self)
            #expect(fetched == [swatch])
            #expect(swatch.awakenings == 0)
        }
        let context = store.makeContext()
        let swatch = context.insert(Swatch())
        try context.save()
        #expect(try context.object(swatch.persistentID).awakenings == 0)
        #expect(try context.fetch(Swatch.self).map(\.awakenings).sorted() == [0, 1])
    }

    @Test func awakensRelatedObjects() throws {
        let id = try add(0xff)
        try store.write { context in
            let shade = Swatch()
            shade.color = 0x7f
            try context.object(id).shades.append(shade)
        }
        try store.read { context in
            let shades = try context.object(id).shades
            #expect(shades.map(\.color) == [0x7f])
        }
    }

    @Test(arguments: [true, false]) func refreshingResetsAndAwakens(isOfAll: Bool) throws {
        let id = try add(0xff)
        let context = store.makeContext()
        let swatch = try context.object(id)
        swatch.color = 1
        swatch.prepared = ["x"]
        let stored = try #require(swatch.managedObject)
        if isOfAll {
            // Objects with changes, including transient changes, are not refreshed.
            context.refreshAll()
            #expect(swatch.color == 1)
            context.rollback()
            context.refreshAll()
        } else {
            try context.refresh(stored)
        }
        #expect(swatch.color == 0xff)
        #expect(swatch.awakenings == 1)
        #expect(swatch.prepared.isEmpty)
    }

    @Test(arguments: [true, false]) func aNewerRowResetsAndAwakens(isFetched: Bool) throws {
        let id = try add(0xff)
        let base = try store.write { context in
            let base = context.insert(Swatch())
            base.shades = try [context.object(id)]
            return base.persistentID
        }
        let context = store.makeContext()
        let swatch = try context.object(id)
        swatch.prepared = ["x"]
        try context.save()
        try store.write { try $0.object(id).color = 0x10 }
        if isFetched {
            #expect(try context.fetch(Swatch.self).contains(swatch))
        } else {
            #expect(try context.object(base).shades == [swatch])
        }
        #expect(swatch.color == 0x10)
        #expect(swatch.awakenings == 1)
        #expect(swatch.prepared.isEmpty)
        swatch.title = "changed"
        try context.save()
        #expect(try store.read { try $0.object(id).hex } == "10")
    }

    @Test func stateThatCannotBeComputedIsNotStored() throws {
        let store = try Store.inMemory(for: Gauge.self, transformers: TransformerRegistry {})
        let id = try store.write { context in
            let gauge = context.insert(Gauge())
            gauge.number = 5
            return gauge.persistentID
        }
        let context = store.makeContext()
        let gauge = try context.object(id)
        #expect(gauge.number == 5)
        try store.write { try $0.object(id).number = -1 }
        #expect(throws: TooYoung.self) { try context.fetch(Gauge.self) }
        gauge.title = "changed"
        #expect(throws: (any Error).self) { try context.save() }
        #expect(try store.read { try $0.values(Gauge.self, of: \.text) } == ["none"])
    }

    /// The state of the first object cannot be computed after the merge.
    @Test func aMergeComputesTheStateOfAllObjects() throws {
        let store = try Store.inMemory(for: Gauge.self, transformers: TransformerRegistry {})
        let ids = try store.write { context in
            (0..<2).map { _ in context.insert(Gauge()).persistentID }
        }
        let context = store.makeContext(onConflict: .mine)
        for id in ids { try context.object(id).title = "changed" }
        try store.write { context in
            try context.object(ids[0]).number = -1
            try context.object(ids[1]).number = 7
        }
        #expect(throws: TooYoung.self) { try context.save() }
        try store.write { try $0.object(ids[0].objectID).setValue("1", for: "text") }
        try context.save()
        #expect(try store.read { try $0.values(Gauge.self, of: \.text) } == ["1", "7"])
    }

    @Test func aNewerRowResetsWhatWasComputedOnDemand() throws {
        let store = try Store.inMemory(for: Lookup.self, transformers: TransformerRegistry {})
        try store.write { $0.insert(Lookup()).hex = "ff" }
        let context = store.makeContext()
        let lookup = try #require(try context.first(Lookup.self))
        #expect(lookup.color == 0xff)
        try store.write { try $0.first(Lookup.self)?.hex = "10" }
        #expect(try context.fetch(Lookup.self).map(\.color) == [0x10])
    }

    @Test func aRefreshThatKeepsChangesKeepsTransientOnes() throws {
        let id = try add(0xff)
        let context = store.makeContext()
        let swatch = try context.object(id)
        swatch.color = 0x10
        try context.refresh(swatch, keepingChanges: true)
        #expect(swatch.color == 0x10)
    }

    @Test func aRefreshThatKeepsChangesKeepsWhatNoHookStores() throws {
        let store = try Store.inMemory(for: Lookup.self, transformers: TransformerRegistry {})
        try store.write { _ = $0.insert(Lookup()) }
        let context = store.makeContext()
        let lookup = try #require(try context.first(Lookup.self))
        lookup.isSelected = true
        try store.write { try $0.first(Lookup.self)?.hex = "10" }
        try context.refresh(lookup, keepingChanges: true)
        #expect(lookup.isSelected && lookup.hex == "10")
    }

    @Test(arguments: [true, false]) func deinitializersCanStillUseTheObject(isEditing: Bool) throws {
        let id = try add(0xff, "a")
        try store.write { context in
            for title in ["b", "c"] {
                let shade = Swatch()
                shade.title = title
                try context.object(id).shades.append(shade)
            }
        }
        func delete(_ context: StoreContext) throws {
            let swatch = try context.object(id)
            let shades = swatch.shades
            try context.delete(swatch)
            try context.save()
            #expect(swatch.prepared == ["b", "c"])
            #expect(shades.filter { $0.isDeleted }.count == 2)
        }
        if isEditing { try delete(store.makeContext()) } else { try store.write { try delete($0) } }
    }

    @Test func throwsErrorsOfSettersAfterTheCommit() throws {
        let error = #expect(throws: StoreError.self) { _ = try add(1, "late") }
        #expect(error?.code == .misuse)
        #expect(try store.read { try $0.fetch(Swatch.self).map(\.hex) } == ["1"])
    }
}
