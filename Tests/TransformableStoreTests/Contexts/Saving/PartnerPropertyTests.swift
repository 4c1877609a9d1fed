import Testing
import Transformable
import TransformableStore
import _HostileInputs

/// Random marriages in two contexts, after each save of which both sides of each couple agree.
@Suite(.eachEngine) struct PartnerPropertyTests {
    private static let policies: [ConflictPolicy] = [
        .fail, .mine, .theirs,
        .merge { conflict in
            if conflict.object.id.number % 2 == 0 { try conflict.takeTheirs() }
        },
    ]
    private static let cases = (0..<8).map { (UInt64($0), policies[$0 % 4]) }

    @Test(arguments: cases)
    private func bothSidesOfEachCoupleAgree(seed: UInt64, policy: ConflictPolicy) throws {
        var marriages = Marriages(store: try RelationshipConflictTests.store(), policy: policy, seed: seed)
        for _ in 0..<150 { try marriages.step() }
        #expect(marriages.saves > 10)
    }
}

private struct Marriages {
    private let store: Store
    private let contexts: [StoreContext]
    private var generator: SeededGenerator
    // What each context has read and the test retains, by number. Some of it is older than what the other one has saved.
    private var people: [[Int64: ManagedObject]] = [[:], [:]]
    private(set) var saves = 0

    init(store: Store, policy: ConflictPolicy, seed: UInt64) {
        self.store = store
        contexts = [store.makeContext(onConflict: policy), store.makeContext(onConflict: policy)]
        generator = SeededGenerator(seed: seed)
    }

    mutating func step() throws {
        let side = Int.random(in: 0..<2, using: &generator)
        do {
            try edit(side)
        } catch let error as StoreError where [.conflict, .danglingReference, .noSuchObject].contains(error.code) {
            // The other context has changed or deleted an object first.
            contexts[side].rollback()
        }
    }

    private mutating func edit(_ side: Int) throws {
        let context = contexts[side]
        if Bool.random(using: &generator) {
            for person in try context.fetch("Person") { people[side][person.id.number] = person }
        }
        let living = people[side].values.filter { !$0.isDeleted }.sorted { $0.id.number < $1.id.number }
        let operation = Int.random(in: 0..<12, using: &generator)
        guard operation < 9 else { return try save(context) }
        guard operation > 0, let person = living.randomElement(using: &generator) else {
            guard living.count < 8 else { return }
            let new = try context.insert("Person")
            people[side][new.id.number] = new
            return
        }
        switch operation {
        case 1..<5:
            guard let partner = living.randomElement(using: &generator), partner !== person else { return }
            try person.setObject(partner, for: "spouse")
        case 5: try person.setObject(nil, for: "spouse")
        case 6: try person.setValue("\(Int.random(in: 0..<1000, using: &generator))", for: "name")
        case 7: try context.delete(person)
        default: try context.refresh(person, keepingChanges: Bool.random(using: &generator))
        }
    }

    private mutating func save(_ context: StoreContext) throws {
        try context.save()
        saves += 1
        let couples = try store.read { context in
            try context.fetch("Person").map { ($0.id.number, try $0.object("spouse")?.id.number) }
        }
        let spouses = Dictionary(uniqueKeysWithValues: couples)
        for case (let person, let spouse?) in spouses { #expect(spouses[spouse] == person) }
    }
}
