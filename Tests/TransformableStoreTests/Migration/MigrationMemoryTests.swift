import Foundation
import GRDB
import Testing
import Transformable
import TransformableSQLite
import TransformableStore

/// Only SQLite keeps the references that a migration moves in memory, while it sorts the entries of their indexes.
@Suite struct MigrationMemoryTests {
    /// A change of the model that moves references.
    enum Change: Int, CaseIterable {
        case renamedChild, newParent, manyToMany, manyToManyWithStep

        var old: [EntityDescription] {
            switch self {
            case .renamedChild: Self.family("Dog", from: nil)
            case .newParent:
                [EntityDescription("Dog"), EntityDescription("Owner", relationships: [.toMany("pets", "Dog")])]
            case .manyToMany, .manyToManyWithStep:
                [
                    EntityDescription("Owner", relationships: [.toMany("pets", "Dog", inverse: "owner")]),
                    EntityDescription("Dog", relationships: [.toOne("owner", "Owner", inverse: "pets")]),
                ]
            }
        }

        var new: [EntityDescription] {
            switch self {
            case .renamedChild: Self.family("Hound", from: "Dog")
            case .newParent: Self.family("Dog", from: nil)
            case .manyToMany, .manyToManyWithStep:
                [
                    EntityDescription("Owner", relationships: [.toMany("pets", "Dog", inverse: "owner")]),
                    EntityDescription("Dog", relationships: [.toMany("owner", "Owner", inverse: "pets")]),
                ]
            }
        }

        var steps: [MigrationStep] {
            self == .manyToManyWithStep ? [MigrationStep(from: 1, to: 2) { _ in }] : []
        }

        private static func family(_ name: String, from former: FormerNames) -> [EntityDescription] {
            var child = EntityDescription(name, parent: "Animal")
            child.renamedFrom = former
            return [
                EntityDescription("Animal", abstract: true), child, EntityDescription("Cat", parent: "Animal"),
                EntityDescription("Owner", relationships: [.toMany("pets", "Animal")]),
            ]
        }
    }

    /// Creates a store with a number of references from 100 owners to dogs.
    private static func fill(_ url: URL, _ change: Change, _ count: Int) throws {
        try Store(at: url, model: Model(entities: change.old), transformers: TransformerRegistry {}).close()
        try shell(url) { database in
            let numbers = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < \(count))"
            let isColumn = try database.columns(in: "Dog").contains { $0.name == "owner" }
            try database.execute(sql: "\(numbers) INSERT INTO Owner (_id) SELECT x FROM n WHERE x <= 100")
            try database.execute(
                sql: isColumn
                    ? "\(numbers) INSERT INTO Dog (_id, owner) SELECT x, x % 100 + 1 FROM n"
                    : "\(numbers) INSERT INTO Dog (_id) SELECT x FROM n"
            )
            guard let pairs = try pairTables(database).first(where: { !$0.contains("Cat") }) else { return }
            let (name, places) = (pairs.quotedDatabaseIdentifier, "\"first\", \"second\"")
            let owners = try database.foreignKeys(on: pairs).first { $0.destinationTable == "Owner" }
            let isFirst = owners?.mapping.first?.origin == "first"
            let values = isFirst ? "x % 100 + 1, x" : "x, x % 100 + 1"
            try database.execute(sql: "\(numbers) INSERT INTO \(name) (\(places)) SELECT \(values) FROM n")
        }
    }

    private static func migrate(_ url: URL, _ change: Change) throws -> Int {
        let model = try Model(version: 2, entities: change.new)
        let store = try Store(at: url, model: model, transformers: TransformerRegistry {}, migrations: change.steps)
        try store.close()
        return try shell(url) { database in
            try pairTables(database)
                .reduce(0) { count, name in
                    let sql = "SELECT count(*) FROM \(name.quotedDatabaseIdentifier)"
                    return try count + (Int.fetchOne(database, sql: sql) ?? 0)
                }
        }
    }

    private static func pairTables(_ database: Database) throws -> [String] {
        try String.fetchAll(database, sql: "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name DESC")
            .filter { $0.hasPrefix("_pairs.") }
    }

    /// Returns the increase of the peak memory use of this process caused by a migration.
    private static func growth(_ change: Change, _ count: Int, _ folder: URL) throws -> Int {
        let (small, large) = (folder.appending(path: "small.sqlite"), folder.appending(path: "large.sqlite"))
        try fill(small, change, 1000)
        try fill(large, change, count)
        guard try migrate(small, change) == 1000 else { return -1 }
        let before = try PeakMemory.bytes
        guard try migrate(large, change) == count else { return -2 }
        return try PeakMemory.bytes - before
    }

    private func measure(_ change: Change, _ count: Int) async throws -> Int {
        let folder = try Folder()
        let (path, index) = (folder.url.path, change.rawValue)
        let result = await #expect(
            processExitsWith: .success,
            observing: [\.standardOutputContent]
        ) { [path = path as String, index = index as Int, count = count as Int] in
            let change = try #require(Change(rawValue: index))
            print("grew by \(try Self.growth(change, count, URL(filePath: path))).")
        }
        let output = String(decoding: result?.standardOutputContent ?? [], as: UTF8.self)
        let number = try #require(output.firstMatch(of: /grew by (-?\d+)\./)?.output.1)
        return try #require(Int(number))
    }

    @Test(arguments: Change.allCases) func memoryGrowsByTheEntriesOfIndexesOnly(change: Change) async throws {
        let few = try await measure(change, 100_000)
        let many = try await measure(change, 400_000)
        #expect(few >= 0 && many >= 0)
        // An entry takes SQLite 28 to 44 bytes. An array of references in Swift would take 32 more.
        #expect((many - few) / 300_000 < 50, "\(few) bytes for 100,000 references, and \(many) for 400,000")
    }
}
