import Foundation
import Testing
import Transformable
import TransformableSQLite
import TransformableStore

/// `forEach` and `forEachBatch` with closures that change the objects.
@Suite struct VisitingTests {
    private struct Endless: Error {}

    // More objects than are read at a time.
    private static let count = 600
    private let folder: Folder
    private let store: Store

    init() throws {
        folder = try Folder()
        store = try Store(at: folder.file(), model: Self.model(), transformers: TransformerRegistry {})
        try store.write { context in
            for number in 1...Self.count { try Self.insert(number, in: context) }
        }
    }

    private static func model(version: Int = 1) throws -> Model {
        let attributes: [AttributeDescription] = [.integer("rank", .indexed), .integer("double", .optional)]
        return try Model(
            version: version,
            entities: [
                EntityDescription("Person", attributes: Array(attributes.prefix(version))),
                EntityDescription("Child", parent: "Person"),
            ]
        )
    }

    private static func insert(_ rank: Int, in context: StoreContext) throws {
        try context.insert(rank.isMultiple(of: 3) ? "Child" : "Person").setValue(rank, for: "rank")
    }

    private static func rank(_ object: ManagedObject) throws -> Int { try object.value("rank", as: Int.self) }

    @Test(arguments: ["Person", "Child"], [[], [SortKey.ascending("rank")], [SortKey.descending("rank")]])
    func objectsThatTheClosureInsertsAreNotVisited(entity: String, order: [SortKey]) throws {
        let wanted = entity == "Person" ? Self.count : Self.count / 3
        try store.write { context in
            var visited = 0
            try context.forEach(entity, sortedBy: order) { _ in
                visited += 1
                guard visited <= wanted else { throw Endless() }
                try context.insert("Child").setValue(Self.count + visited, for: "rank")
                // Writes the new object.
                _ = try context.count("Child")
            }
            #expect(visited == wanted)
            #expect(try context.count("Person") == Self.count + wanted)
        }
    }

    @Test func objectsThatTheClosureMovesAreVisitedOnce() throws {
        try store.write { context in
            var ranks: [Int] = []
            try context.forEach("Person", where: Field("rank") > 0, sortedBy: [.ascending("rank")]) { person in
                guard ranks.count < Self.count else { throw Endless() }
                ranks.append(try Self.rank(person))
                try person.setValue(Self.rank(person) + 10 * Self.count, for: "rank")
                _ = try context.count("Person")
            }
            #expect(ranks == Array(1...Self.count))
        }
        #expect(try store.read { try $0.count("Person", where: Field("rank") > 10 * Self.count) } == Self.count)
    }

    @Test(arguments: [true, false]) func objectsThatTheClosureDeletesAreNotVisited(isWritten: Bool) throws {
        try store.write { context in
            let all = try context.fetch("Person", sortedBy: [.ascending("rank")])
            var ranks: [Int] = []
            try context.forEach("Person", sortedBy: [.ascending("rank")]) { person in
                let rank = try Self.rank(person)
                ranks.append(rank)
                try context.delete(all[rank])
                if isWritten { _ = try context.count("Person") }
            }
            #expect(ranks == Array(stride(from: 1, to: Self.count, by: 2)))
        }
        #expect(try store.read { try $0.count("Person") } == Self.count / 2)
    }

    /// A context for editing fetches all objects before the first one is visited.
    @Test func objectsThatTheClosureDeletesWhileEditingAreNotVisited() throws {
        let context = store.makeContext()
        let all = try context.fetch("Person", sortedBy: [.ascending("rank")])
        var ranks: [Int] = []
        try context.forEach("Person", sortedBy: [.ascending("rank")]) { person in
            let rank = try Self.rank(person)
            ranks.append(rank)
            try context.delete(all[rank])
        }
        #expect(ranks == Array(stride(from: 1, to: Self.count, by: 2)))
    }

    @Test func aLimitAndAnOffsetApply() throws {
        try store.write { context in
            var ranks: [Int] = []
            try context.forEach("Person", sortedBy: [.ascending("rank")], limit: 300, offset: 7) { person in
                ranks.append(try Self.rank(person))
            }
            #expect(ranks == Array(8...307))
        }
    }

    @Test func closureCanInsertBetweenBatches() throws {
        try store.write { context in
            var sizes: [Int] = []
            try context.forEachBatch("Person", of: 250) { batch in
                sizes.append(batch.count)
                guard sizes.count <= 3 else { throw Endless() }
                for person in batch { try Self.insert(Self.rank(person) + Self.count, in: context) }
                _ = try context.count("Person")
            }
            #expect(sizes == [250, 250, 100])
        }
    }

    @Test func aMigrationStepCanInsert() throws {
        try store.close()
        let step = MigrationStep(from: 1, to: 2) { migration in
            var visited = 0
            try migration.context.forEach("Person") { person in
                visited += 1
                guard visited <= Self.count else { throw Endless() }
                try person.setValue(2 * Self.rank(person), for: "double")
                try migration.context.insert("Person").setValue(0, for: "rank")
                _ = try migration.context.count("Person")
            }
        }
        let migrated = try Store(
            at: folder.file(),
            model: Self.model(version: 2),
            transformers: TransformerRegistry {},
            migrations: [step]
        )
        #expect(try migrated.read { try $0.count("Person") } == 2 * Self.count)
        #expect(try migrated.read { try $0.count("Person", where: Field("double") == Field("rank") * 2) } == Self.count)
    }
}
