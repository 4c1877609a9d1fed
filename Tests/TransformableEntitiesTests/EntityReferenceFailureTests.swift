import Foundation
import GRDB
import Testing
import Transformable
import TransformableEntities
import TransformableSQLite
import TransformableStore

/// A class whose objects can be fetched only if an attribute can be decoded, which a hook reads.
@Entity
final class Jar {
    var label: String
    var severity: Severity
    @Relationship var shelf: Shelf?
    @Transient var isUrgent = false

    init(_ label: String, shelf: Shelf) {
        self.label = label
        severity = .low
        self.shelf = shelf
    }

    func awakeFromFetch() { isUrgent = severity == .high }
}

@Entity
final class Shelf {
    var count = 7
    @Relationship(inverse: \Jar.shelf) var jars: [Jar]
    @Relationship var best: Jar?
    @Relationship(inverse: \Cask.shelf) var casks: [Cask]
    @Relationship var oldest: Cask?
}

/// A class whose hook fails.
@Entity
final class Cask {
    @Relationship var shelf: Shelf?

    func awakeFromFetch() throws { throw TooYoung() }
}

/// Relationships whose getters cannot return their objects.
@Suite struct EntityReferenceFailureTests {
    private let url = FileManager.default.temporaryDirectory.appending(path: "jars-\(UUID()).sqlite")
    private let shelf: PersistentID<Shelf>

    /// Makes a store with a shelf of three jars, the second of which cannot be decoded, and with two casks.
    init() throws {
        let store = try Self.store(url, .fail)
        shelf = try store.write { context in
            let shelf = context.insert(Shelf())
            let jars = ["a", "b", "c"].map { context.insert(Jar($0, shelf: shelf)) }
            shelf.best = jars[1]
            shelf.casks = [Cask(), Cask()]
            shelf.oldest = shelf.casks.first
            return shelf.persistentID
        }
        try store.close()
        let queue = try DatabaseQueue(path: url.path)
        try queue.write { try $0.execute(sql: "UPDATE Jar SET severity = '?' WHERE label = 'b'") }
        try queue.close()
    }

    private static func store(_ url: URL, _ quarantine: Store.Options.Quarantine) throws -> Store {
        try Store(
            at: url,
            for: Shelf.self,
            Jar.self,
            Cask.self,
            transformers: Fixtures.registry(),
            options: Store.Options(quarantine: quarantine)
        )
    }

    @Test func objectsThatCannotBeDecodedAreReported() throws {
        let store = try Self.store(url, .report)
        try store.write { context in
            let shelf = try context.object(shelf)
            #expect(shelf.jars.isEmpty && shelf.best == nil)
            shelf.count = 8
        }
        #expect(try store.read { try $0.object(shelf).count } == 8)
    }

    @Test(arguments: [true, false]) func aFailedHookFailsTheBlock(isToMany: Bool) throws {
        let store = try Self.store(url, .report)
        let error = #expect(throws: StoreError.self) {
            try store.write { context in
                let shelf = try context.object(shelf)
                shelf.count = isToMany ? shelf.casks.count : shelf.oldest == nil ? 0 : 1
            }
        }
        #expect(error?.underlying is TooYoung)
        #expect(try store.read { try $0.object(shelf).count } == 7)
    }

    @Test(arguments: [Store.Options.Quarantine.fail, .report])
    func objectsThatWereNotReturnedAreKept(_ quarantine: Store.Options.Quarantine) throws {
        let store = try Self.store(url, quarantine)
        let context = store.makeContext()
        let shelf = try context.object(shelf)
        shelf.jars = shelf.jars.filter { $0.label != "c" }
        shelf.best = shelf.best
        for _ in 0..<2 { #expect(throws: StoreError(.undecodable, "")) { try context.save() } }
        context.rollback()
        _ = try? context.save()
        let (jars, best) = try store.read { context in
            let shelf = try context.object(shelf.persistentID.objectID)
            return (try shelf.objects("jars").map(\.id.number), try shelf.object("best")?.id.number)
        }
        #expect(jars == [1, 2, 3] && best == 2)
    }

    @Test func aBlockDoesNotSaveWhatAGetterLacked() throws {
        let store = try Self.store(url, .report)
        #expect(throws: StoreError(.undecodable, "")) {
            try store.write { context in
                let shelf = try context.object(shelf)
                shelf.jars = shelf.jars
            }
        }
        #expect(try store.read { try $0.object(shelf.objectID).objects("jars").count } == 3)
    }

    @Test func idsReplaceAnObjectThatCannotBeDecoded() throws {
        let store = try Self.store(url, .report)
        let context = store.makeContext()
        let shelf = try context.object(shelf)
        shelf.best = nil
        #expect(throws: StoreError(.undecodable, "")) { try context.save() }
        try shelf.setReference(\.best, to: PersistentID(number: 3))
        try context.save()
        #expect(try store.read { try $0.object(shelf.persistentID).best?.label } == "c")
    }
}
