import Foundation
import Synchronization
import Testing
import Transformable

// Counts the statements of a block's own connection.
@testable import TransformableStore

@Suite(.eachEngine) struct CountTests {
    /// Teams of two or three players, clubs with at most two members, and a captain for each badge.
    private func model() throws -> Model {
        var players = RelationshipDescription.toMany("players", "Player", inverse: "team")
        players.minimumCount = 2
        players.maximumCount = 3
        var members = RelationshipDescription.toMany("members", "Player", inverse: "clubs")
        members.maximumCount = 2
        var clubs = RelationshipDescription.toMany("clubs", "Club")
        clubs.minimumCount = 0
        return try Model(entities: [
            EntityDescription("Team", attributes: [.string("name", .optional)], relationships: [players]),
            EntityDescription("Player", relationships: [.toOne("team", "Team"), clubs]),
            EntityDescription("Club", relationships: [members]),
        ])
    }

    private func store() throws -> Store {
        try Store.trial(model: model(), transformers: Transformers().registry())
    }

    private func team(_ count: Int, in context: StoreContext) throws -> ManagedObject {
        let team = try context.insert("Team")
        for _ in 0..<count { try team.add(context.insert("Player"), to: "players") }
        return team
    }

    @Test(arguments: [
        (0, "it has 0 objects, but must have at least 2"),
        (1, "it has 1 object, but must have at least 2"),
        (4, "it has 4 objects, but can have at most 3"),
    ])
    func aNewObjectRequiresTheRightNumber(count: Int, message: String) throws {
        let store = try store()
        let error = #expect(throws: StoreError.self) { try store.write { _ = try team(count, in: $0) } }
        #expect(error?.code == .invalidValue)
        #expect(error?.description == "Team.players, object 1: \(message)")
        #expect(try store.read { try $0.count("Player") } == 0)
    }

    private final class Counter: Sendable {
        private let count = Atomic<Int>(0)
        var value: Int { count.load(ordering: .relaxed) }
        func add() { count.add(1, ordering: .relaxed) }
    }

    @Test func theObjectsOfManyAreCountedTogether() throws {
        let store = try store()
        let count = Counter()
        try store.write { context in
            for _ in 0..<300 { _ = try team(2, in: context) }
            try context.saveUncounted()
            let database = try context.database()
            database.countStatements { count.add() }
            defer { database.countStatements(nil) }
            try context.enforceCounts()
        }
        // Two for every 256 of 300 teams and 600 players.
        #expect(count.value == 10)
    }

    @Test(arguments: [2, 3])
    func theLimitsThemselvesAreAllowed(count: Int) throws {
        let store = try store()
        try store.write { _ = try team(count, in: $0) }
        #expect(try store.read { try $0.first("Team")?.objects("players").count } == count)
    }

    @Test func removalsAreCheckedOnEitherSide() throws {
        let store = try store()
        let id = try store.write { try team(2, in: $0).id }
        let tooFew = StoreError(code: .invalidValue)
        #expect(throws: tooFew) {
            try store.write { context in
                let player = try #require(try context.first("Player"))
                try context.object(id).remove(player, from: "players")
            }
        }
        #expect(throws: tooFew) { try store.write { try $0.first("Player")?.setObject(nil, for: "team") } }
        #expect(throws: tooFew) { try store.write { try $0.first("Player").map($0.delete) } }
        #expect(throws: tooFew) {
            // A move leaves too few players in the old team, however many the new one has.
            try store.write { context in
                let other = try team(2, in: context)
                try context.first("Player")?.setObject(other, for: "team")
            }
        }
        #expect(try store.read { try $0.object(id).objects("players").count } == 2)
    }

    @Test func onlySavedObjectsCount() throws {
        let store = try store()
        let id = try store.write { try team(2, in: $0).id }
        try store.write { context in
            let team = try context.object(id)
            let players = try team.objects("players")
            for player in players { try team.remove(player, from: "players") }
            for player in players { try team.add(player, to: "players") }
            try context.delete(players[0])
            try team.add(context.insert("Player"), to: "players")
        }
        #expect(try store.read { try $0.object(id).objects("players").count } == 2)
    }

    @Test func deletedObjectsAreNotChecked() throws {
        let store = try store()
        let id = try store.write { try team(2, in: $0).id }
        try store.write { try $0.delete($0.object(id)) }
        #expect(try store.read { try $0.count("Player") } == 2)
        #expect(try store.read { try $0.count("Team") } == 0)
    }

    @Test func pairsAreCountedFromEitherSide() throws {
        let store = try store()
        let club = try store.write { context in
            let club = try context.insert("Club")
            for _ in 0..<2 { try club.add(context.insert("Player"), to: "members") }
            return club.id
        }
        let error = #expect(throws: StoreError.self) {
            try store.write { context in
                try context.insert("Player").add(context.object(club), to: "clubs")
            }
        }
        #expect(error?.description == "Club.members, object 1: it has 3 objects, but can have at most 2")
        try store.write { context in
            try context.first("Player").map(context.delete)
            try context.insert("Player").add(context.object(club), to: "clubs")
        }
        #expect(try store.read { try $0.object(club).objects("members").count } == 2)
    }

    @Test func deletingTheOtherSideOfPairsCounts() throws {
        var members = RelationshipDescription.toMany("members", "Member")
        members.minimumCount = 1
        let model = try Model(entities: [
            EntityDescription("Club", relationships: [members]), EntityDescription("Member"),
        ])
        let store = try Store.trial(model: model, transformers: Transformers().registry())
        try store.write { try $0.insert("Club").add($0.insert("Member"), to: "members") }
        let error = #expect(throws: StoreError.self) { try store.write { try $0.first("Member").map($0.delete) } }
        #expect(error?.description == "Club.members, object 1: it has 0 objects, but must have at least 1")
    }

    @Test func aReferenceStoredOnTheOtherSideIsRequired() throws {
        let model = try Model(entities: [
            EntityDescription("Badge", relationships: [.toOne("holder", "Guard", inverse: "badge")]),
            EntityDescription("Guard", relationships: [.toOne("badge", "Badge", optional: false)]),
        ])
        let store = try Store.trial(model: model, transformers: Transformers().registry())
        let error = #expect(throws: StoreError.self) { try store.write { _ = try $0.insert("Guard") } }
        #expect(error?.description == "Guard.badge, object 1: it has 0 objects, but must have at least 1")
        try store.write { try $0.insert("Guard").setObject($0.insert("Badge"), for: "badge") }
        #expect(throws: StoreError(code: .invalidValue)) {
            try store.write { try $0.first("Badge")?.setObject(nil, for: "holder") }
        }
    }

    @Test func aBlockThatIgnoresTheErrorIsRolledBack() throws {
        let store = try store()
        let error = #expect(throws: StoreError.self) {
            try store.write { context in
                _ = try team(0, in: context)
                #expect(throws: StoreError(code: .invalidValue)) { try context.save() }
            }
        }
        #expect(error?.description == "Team.players, object 1: it has 0 objects, but must have at least 2")
        #expect(try store.read { try $0.count("Team") } == 0)
    }

    @Test func aBlockThatRollsBackAfterTheErrorIsRolledBackAsAWhole() throws {
        let store = try store()
        #expect(throws: StoreError(code: .invalidValue)) {
            try store.write { context in
                _ = try team(0, in: context)
                do { try context.save() } catch { context.rollback() }
            }
        }
        #expect(try store.read { try $0.count("Team") } == 0)
    }

    @Test func aBlockCanFetchBeforeItAddsTheObjects() throws {
        let store = try store()
        try store.write { context in
            let team = try context.insert("Team")
            for _ in 0..<2 { _ = try context.insert("Player") }
            for player in try context.fetch("Player") { try team.add(player, to: "players") }
        }
        #expect(try store.read { try $0.first("Team")?.objects("players").count } == 2)
    }

    @Test func recreatedObjectsAreChecked() throws {
        let store = try store()
        let id = try store.write { try team(2, in: $0).id }
        let context = store.makeContext(onConflict: .mine)
        let object = try context.object(id)
        try object.setValue("A", for: "name")
        // The players remain, without a team.
        try store.write { try $0.delete($0.object(id)) }
        let error = #expect(throws: StoreError.self) { try context.save() }
        #expect(error?.description == "Team.players, object 1: it has 0 objects, but must have at least 2")
        for player in try context.fetch("Player") { try object.add(player, to: "players") }
        try context.save()
        #expect(try store.read { try $0.object(id).objects("players").count } == 2)
    }

    @Test func aBulkInsertionCanAddTheObjects() throws {
        let store = try store()
        try store.write { context in
            let team = try context.insert("Team").id.number
            try context.insert(many: 0..<2, into: "Player") { player, _ in try player.setValue(team, for: "team") }
        }
        #expect(try store.read { try $0.first("Team")?.objects("players").count } == 2)
    }

    @Test func aBulkUpdateCanAddTheObjects() throws {
        let store = try store()
        try store.write { context in
            try context.insert(many: 0..<1002, into: "Player") { _, _ in }
            let team = try context.insert("Team")
            try context.update("Player", where: .all) { player in
                // An update writes after every thousand objects.
                if player.id.number > 1000 { try team.add(player, to: "players") }
            }
        }
        #expect(try store.read { try $0.first("Team")?.objects("players").count } == 2)
    }

    @Test func bulkWorkIsCheckedAtTheEndOfABlock() throws {
        let store = try store()
        let error = #expect(throws: StoreError.self) {
            try store.write { context in
                let team = try context.insert("Team").id.number
                try context.insert(many: 0..<4, into: "Player") { player, _ in try player.setValue(team, for: "team") }
            }
        }
        #expect(error?.description == "Team.players, object 1: it has 4 objects, but can have at most 3")
    }
}
