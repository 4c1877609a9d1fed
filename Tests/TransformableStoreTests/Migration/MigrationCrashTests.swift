import Foundation
import GRDB
import Glibc
import Testing
import Transformable
import TransformableSQLite
import TransformableStore

/// A program that is killed while it migrates a store.
@Suite struct MigrationCrashTests {
    private static let setting = ProcessInfo.processInfo.environment
    /// The number of objects: 100,000 in a soak test, and few otherwise.
    private static let count = setting["TRANSFORMABLE_CRASH_OBJECTS"].flatMap(Int.init) ?? 1000
    /// The moments of the kills: twenty in a soak test, and a few otherwise.
    private static let moments: [UInt32] = {
        guard let last = setting["TRANSFORMABLE_CRASH_MILLISECONDS"].flatMap(UInt32.init) else {
            return [3, 15, 40, 80, 150, 300]
        }
        return (1...20).map { last / 20 * $0 }
    }()

    private static func data(_ number: Int) -> Data {
        Data(repeating: UInt8(truncatingIfNeeded: number), count: 2000)
    }

    private static func open(_ url: URL, _ model: Model, _ migrations: [MigrationStep] = []) throws -> Store {
        try Store(at: url, model: model, transformers: Transformers().registry(), migrations: migrations)
    }

    /// Items, of which every tenth has a blob, and scraps, which are dropped.
    private static func first() throws -> Model {
        try Model(entities: [
            EntityDescription(
                "Item",
                attributes: [
                    .string("name", .indexed), .transformed("box", "box", as: Box.self),
                    .data("data", .optional, .externalStorage(over: 1000)),
                ],
                relationships: [.toOne("next", "Item"), .toMany("factors", "Item", ordered: true)]
            ),
            EntityDescription("Scrap", attributes: [.data("data", .externalStorage(over: 1000))]),
        ])
    }

    private static func second() throws -> Model {
        var thing = EntityDescription(
            "Thing",
            attributes: [
                .string("title", .unique, .renamed(from: "name")), .int64("count", .default(7)),
                .transformed("box", "box", as: Box.self, .projected("area", as: "area")),
                .data("data", .optional, .externalStorage(over: 1000)),
            ],
            relationships: [.toMany("nexts", "Thing"), .toMany("factors", "Thing", ordered: true)]
        )
        thing.renamedFrom = "Item"
        thing.relationships[0].renamedFrom = "next"
        return try Model(version: 2, entities: [thing])
    }

    /// Changes every object, and every blob.
    private static let step = MigrationStep(from: 1, to: 2) { migration in
        try migration.context.forEach("Thing") { thing in
            let number = Int(thing.id.number)
            try thing.setValue(Int64(number), for: "count")
            if number.isMultiple(of: 10) { try thing.setValue(data(number + 1), for: "data") }
        }
    }

    private static func fill(_ url: URL) throws {
        let store = try open(url, first())
        try store.write { context in
            var items: [ManagedObject] = []
            for number in 1...count {
                let item = try context.insert("Item")
                try item.setObject(items.last, for: "next")
                try item.setObjects(factors(number).map { items[$0 - 1] }, for: "factors")
                items.append(item)
                try item.setValue("item \(number)", for: "name")
                try item.setValue(Box(width: number, height: 2), for: "box")
                if number.isMultiple(of: 10) { try item.setValue(data(number), for: "data") }
            }
            for number in 1...20 { try context.insert("Scrap").setValue(data(number), for: "data") }
        }
        try store.close()
    }

    /// Returns some smaller numbers, in descending order.
    private static func factors(_ number: Int) -> [Int] {
        [2, 3, 5].filter { number.isMultiple(of: $0) && number > $0 }.map { number / $0 }
    }

    private static func check(_ store: Store, isMigrated: Bool) throws {
        let objects = try store.read { context in
            try context.fetch(isMigrated ? "Thing" : "Item")
                .map { object in
                    let number = Int(object.id.number)
                    #expect(try object.value(isMigrated ? "title" : "name", as: String.self) == "item \(number)")
                    #expect(try object.value("box", as: Box.self) == Box(width: number, height: 2))
                    if isMigrated { #expect(try object.value("count", as: Int64.self) == Int64(number)) }
                    let data = try object.value("data", as: Data?.self)
                    #expect(
                        data == (number.isMultiple(of: 10) ? Self.data(isMigrated ? number + 1 : number) : nil)
                    )
                    let next = try isMigrated ? object.objects("nexts") : [object.object("next")].compactMap(\.self)
                    #expect(next.map { Int($0.id.number) } == (number > 1 ? [number - 1] : []))
                    #expect(try object.objects("factors").map { Int($0.id.number) } == factors(number))
                    return number
                }
        }
        #expect(objects == Array(1...count))
        #expect(try store.verify().isSound)
        // Opening the store has swept, so a second sweep finds nothing.
        #expect(try store.removeOrphanedBlobs() == 0)
    }

    // The delay is intended: the kill comes at a random moment of the migration, or after it.
    @Test(arguments: moments.indices) func aKillLeavesTheOldModelOrTheNewOne(index: Int) async throws {
        let milliseconds = Self.moments[index]
        let folder = try Folder()
        let path = folder.file().path
        try Self.fill(folder.file())
        await #expect(processExitsWith: .signal(SIGKILL)) {
            [path = path as String, milliseconds = milliseconds as UInt32] in
            killThisProcess(after: milliseconds)
            let store = try Self.open(URL(filePath: path), Self.second(), [Self.step])
            _ = pause()
            try store.close()
        }
        let found = try Store(at: folder.file(), transformers: Transformers().registry())
        try Self.check(found, isMigrated: found.model.version == 2)
        try found.close()
        let migrated = try Self.open(folder.file(), Self.second(), [Self.step])
        try Self.check(migrated, isMigrated: true)
        #expect(try await migrated.read { try $0.count("Thing", where: Field("area") == 2 * Self.count) } == 1)
        try migrated.close()
        #expect(try shell(folder.file()) { try String.fetchOne($0, sql: "PRAGMA integrity_check") } == "ok")
    }

    @Test(.enabled(if: SmallDisk.isPossible, "only root can mount a small disk"))
    func aFullDiskLeavesTheOldModel() throws {
        let disk = try #require(try SmallDisk())
        let url = disk.url.appending(path: "test.sqlite")
        try Self.fill(url)
        let blobs = try FileManager.default.contentsOfDirectory(atPath: url.path + "-blobs").sorted()
        disk.fill(leaving: 400_000)
        #expect(throws: StoreError(code: .diskFull)) { try Self.open(url, Self.second(), [Self.step]) }
        #expect(try FileManager.default.contentsOfDirectory(atPath: url.path + "-blobs").sorted() == blobs)
        try disk.free()
        let old = try Self.open(url, Self.first())
        try Self.check(old, isMigrated: false)
    }
}
