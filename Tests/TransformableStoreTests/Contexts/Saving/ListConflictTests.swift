import Testing
import Transformable
import TransformableStore

/// Two contexts that change ordered relationships.
@Suite(.eachEngine) struct ListConflictTests {
    /// One context moves a player to another team, and the other one only to another place in the former team.
    @Test(arguments: [ConflictPolicy.mine, .theirs], [false, true])
    func movingToAnotherListPrevails(policy: ConflictPolicy, isMine: Bool) throws {
        let model = try Model(entities: [
            EntityDescription("Team", relationships: [.toMany("players", "Player", ordered: true, inverse: "team")]),
            EntityDescription("Player", relationships: [.toOne("team", "Team")]),
        ])
        let store = try Store.trial(model: model, transformers: Transformers().registry())
        try store.write { context in
            let team = try context.insert("Team")
            for _ in 0..<3 { try team.add(context.insert("Player"), to: "players") }
            _ = try context.insert("Team")
        }
        func move(_ context: StoreContext, toOtherTeam: Bool) throws {
            let teams = try context.fetch("Team")
            let players = try teams[0].objects("players")
            guard !toOtherTeam else { return try players[0].setObject(teams[1], for: "team") }
            try teams[0].setObjects([players[1], players[2], players[0]], for: "players")
        }
        let context = store.makeContext(onConflict: policy)
        try move(context, toOtherTeam: isMine)
        try store.write { try move($0, toOtherTeam: !isMine) }
        try context.save()
        let lists = try store.read { try $0.fetch("Team").map { try $0.objects("players").map(\.id.number) } }
        #expect(lists == [[2, 3], [1]])
    }

    /// The other context deletes an object of the list, or removes it from the list.
    @Test(arguments: [true, false]) func anotherOrderBringsNoObjectBack(isDeleted: Bool) throws {
        let model = try Model(entities: [
            EntityDescription("List", relationships: [.toMany("tracks", "Track", ordered: true, inverse: "lists")]),
            EntityDescription("Track", relationships: [.toMany("lists", "List")]),
        ])
        let store = try Store.trial(model: model, transformers: Transformers().registry())
        let id = try store.write { context in
            let list = try context.insert("List")
            for _ in 0..<3 { try list.add(context.insert("Track"), to: "tracks") }
            return list.id
        }
        let mine = store.makeContext()
        let list = try mine.object(id)
        let tracks = try list.objects("tracks")
        try list.setObjects([tracks[2], tracks[1], tracks[0]], for: "tracks")
        try store.write { context in
            let track = try context.object(ObjectID(entity: "Track", number: 3))
            guard !isDeleted else { return try context.delete(track) }
            try context.object(id).remove(track, from: "tracks")
        }
        #expect(try list.objects("tracks").map(\.id.number) == [2, 1])
        try mine.save()
        #expect(try store.read { try $0.object(id).objects("tracks").map(\.id.number) } == [2, 1])
    }
}
