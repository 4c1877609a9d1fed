import Foundation
import Synchronization
import Testing
import Transformable
import _HostileInputs

// Counts the statements of a block's own connection.
@testable import TransformableStore

/// Blocks of different scopes that use the same connections one after another.
@Suite(.eachEngine) struct TenantAlternationTests {
    private struct Failure: Error {}

    /// The numbers of patients that there must be, by tenant.
    private typealias Counts = [Int64: Int]

    @Test(arguments: 0..<4 as Range<UInt64>, [false, true])
    func eachBlockSeesItsOwnRows(seed: UInt64, inMemory: Bool) throws {
        let fixture = try TenantFixture(inMemory: inMemory, authenticatesRows: true)
        var generator = SeededGenerator(seed: seed)
        var counts: Counts = [1: 2, 2: 2, 3: 0]
        for step in 0..<60 {
            let tenant = Int64.random(in: 1...3, using: &generator)
            try Self.run(.allCases.randomElement(using: &generator) ?? .read, fixture.store, tenant, step, &counts)
        }
        #expect(try fixture.store.verify().isSound)
    }

    private enum Step: CaseIterable {
        case read, failToRead, write, failToWrite, fetchPending, rehearse, edit, readShared, readAll
        case verify, reauthenticate
    }

    private static func run(
        _ step: Step,
        _ store: Store,
        _ tenant: Int64,
        _ number: Int,
        _ counts: inout Counts
    ) throws {
        let count = counts[tenant] ?? 0
        func insert(_ context: StoreContext) throws {
            let patient = try context.insert("Patient")
            try patient.setValue("of \(tenant)", for: "name")
            try patient.setValue(100 + number, for: "badge")
        }
        switch step {
        case .read: #expect(try store.read(tenant: tenant) { try $0.count("Patient") } == count)
        case .failToRead:
            #expect(throws: Failure.self) {
                try store.read(tenant: tenant) { context in
                    #expect(try context.fetch("Patient").count == count)
                    throw Failure()
                }
            }
        case .write:
            try store.write(tenant: tenant) { try insert($0) }
            counts[tenant] = count + 1
        case .failToWrite:
            #expect(throws: Failure.self) {
                try store.write(tenant: tenant) { context in
                    try insert(context)
                    try context.save()
                    throw Failure()
                }
            }
        case .fetchPending:
            try store.write(tenant: tenant) { context in
                try insert(context)
                #expect(try context.fetch("Patient", where: Field("badge") > 0).count == count + 1)
            }
            counts[tenant] = count + 1
        case .rehearse:
            let rehearsed = try store.rehearse(tenant: tenant) { context in
                try insert(context)
                try context.save()
                return try context.count("Patient")
            }
            #expect(rehearsed.result == count + 1)
        case .edit:
            let context = try store.makeContext(tenant: tenant)
            #expect(try context.count("Patient") == count)
            try insert(context)
            #expect(try context.fetch("Patient", where: Field("badge") > 0).count == count + 1)
            try context.save()
            counts[tenant] = count + 1
        case .readShared: #expect(try store.writeShared { try $0.count("Country") } == 1)
        case .readAll:
            let all = counts.values.reduce(0, +)
            #expect(try store.readAcrossTenants { try $0.fetch("Patient").count } == all)
        case .reauthenticate: #expect(try store.reauthenticateRows() == 0)
        case .verify:
            // The country, and a ward and a tag of two tenants.
            #expect(try store.verify().objectCount == 5 + counts.values.reduce(0, +))
        }
    }

    // MARK: - What a block costs

    @Test(.sqliteOnly("PostgreSQL needs no views."), arguments: [2, 30])
    func aBlockDoesNotDependOnTheNumberOfTables(tables: Int) throws {
        let folder = try Folder()
        // After a block that may have left files behind, the store looks for them.
        let file = AttributeDescription.data("file", .optional, .externalStorage(over: 100))
        let entities = (0..<tables).map { EntityDescription("Entity\($0)", attributes: [file]) }
        let model = try Model(hasTenants: true, entities: entities)
        let store = try Store.trial(at: folder.file(), model: model, transformers: TransformerRegistry {})
        try store.write(tenant: 1) { _ = try $0.insert("Entity0") }
        let count = Counter()
        try store.write(tenant: 1) { context in try context.database().countStatements { count.add() } }
        let former = count.value
        #expect(try store.write(tenant: 2) { try $0.count("Entity0") } == 0)
        #expect(count.value - former < 12)
    }

    private final class Counter: Sendable {
        private let count = Atomic<Int>(0)
        var value: Int { count.load(ordering: .relaxed) }
        func add() { count.add(1, ordering: .relaxed) }
    }
}
