import Foundation
import GRDB
import Testing
import Transformable
import TransformableStore

@Suite(.eachEngine) struct OrderTests {
    /// A list with ordered entries, tags that are ordered on both sides, and mutual friends.
    static func model() throws -> Model {
        try Model(entities: [
            EntityDescription(
                "Track",
                attributes: [.string("name")],
                relationships: [
                    .toMany("parts", "Part", ordered: true, inverse: "track", deleteRule: .cascade),
                    .toMany("lists", "List", ordered: true, inverse: "tracks"),
                    .toMany("friends", "Track", inverse: "friends"),
                    .toOne("twin", "Track", inverse: "twin"),
                ]
            ),
            EntityDescription("Part", attributes: [.string("name")], relationships: [.toOne("track", "Track")]),
            EntityDescription(
                "List",
                attributes: [.string("name")],
                relationships: [.toMany("tracks", "Track", ordered: true)]
            ),
        ])
    }

    /// The same in a version in which no relationship is ordered, and in the next one.
    private static func model(_ version: Int) throws -> Model {
        var entities = try model().entities
        for entity in entities.indices {
            for index in entities[entity].relationships.indices where version == 1 {
                entities[entity].relationships[index].isOrdered = false
            }
        }
        return try Model(version: version, entities: entities)
    }

    private func names(_ objects: [ManagedObject]) throws -> String {
        try objects.map { try $0.value("name", as: String.self) }.joined()
    }

    /// Runs a closure in a block, or in an editing context.
    private func edit(_ place: Place, isEditing: Bool, _ body: @Sendable (StoreContext) throws -> Void) throws {
        let folder = try Folder()
        let store = try place.store(Self.model(), in: folder)
        if isEditing { try body(store.makeContext()) } else { try store.write(body) }
    }

    static func make(_ entity: String, _ name: String, _ context: StoreContext) throws -> ManagedObject {
        let object = try context.insert(entity)
        try object.setValue(name, for: "name")
        return object
    }

    @Test(arguments: [(Place.file, true), (.file, false), (.memory, true)])
    func partsKeepTheirOrder(place: Place, isEditing: Bool) throws {
        try edit(place, isEditing: isEditing) { context in
            let track = try Self.make("Track", "t", context)
            let parts = try ["a", "b", "c", "d"].map { try Self.make("Part", $0, context) }
            for part in parts.reversed() { try track.add(part, to: "parts") }
            #expect(try names(track.objects("parts")) == "dcba")
            try context.save()
            #expect(try names(track.objects("parts")) == "dcba")
            try track.insert(parts[0], into: "parts", at: 1)
            #expect(try names(track.objects("parts")) == "dacb")
            try track.insert(parts[1], into: "parts", at: 0)
            #expect(try names(track.objects("parts")) == "bdac")
            try context.save()
            #expect(try names(track.objects("parts")) == "bdac")
            try track.remove(parts[3], from: "parts")
            try parts[3].setObject(track, for: "track")
            #expect(try names(track.objects("parts")) == "bacd")
            // Existing objects do not move.
            try track.add(parts[1], to: "parts")
            try track.setObjects([parts[2], parts[0]], for: "parts")
            try context.save()
            #expect(try names(track.objects("parts")) == "ca")
            #expect(try parts[1].object("track") == nil)
            #expect(throws: StoreError(code: .invalidValue)) { try track.insert(parts[1], into: "parts", at: 3) }
            #expect(throws: StoreError(code: .unsupported)) { try track.insert(track, into: "friends", at: 0) }
        }
    }

    @Test(arguments: [(Place.file, true), (.file, false), (.memory, true)])
    func eachSideHasItsOwnOrder(place: Place, isEditing: Bool) throws {
        try edit(place, isEditing: isEditing) { context in
            let tracks = try ["a", "b", "c"].map { try Self.make("Track", $0, context) }
            let lists = try ["x", "y"].map { try Self.make("List", $0, context) }
            for track in tracks { try lists[0].add(track, to: "tracks") }
            for track in tracks.reversed() { try track.add(lists[1], to: "lists") }
            try context.save()
            #expect(try names(lists[0].objects("tracks")) == "abc")
            #expect(try names(lists[1].objects("tracks")) == "cba")
            try lists[0].insert(tracks[2], into: "tracks", at: 0)
            try tracks[0].insert(lists[1], into: "lists", at: 0)
            #expect(try names(lists[0].objects("tracks")) == "cab")
            try context.save()
            #expect(try names(lists[0].objects("tracks")) == "cab")
            #expect(try names(lists[1].objects("tracks")) == "cba")
            #expect(try names(tracks[0].objects("lists")) == "yx")
            #expect(try names(tracks[1].objects("lists")) == "xy")
        }
    }

    @Test func positionsAreReassignedIfThereIsNoRoom() throws {
        let folder = try Folder()
        let store = try Place.file.store(Self.model(), in: folder)
        try store.write { context in
            let track = try Self.make("Track", "t", context)
            for name in ["a", "z"] { try track.add(Self.make("Part", name, context), to: "parts") }
            // Each insertion halves the gap between the first two.
            for index in 0..<40 {
                try track.insert(Self.make("Part", "\(index % 10)", context), into: "parts", at: 1)
            }
            let expected = "a" + (0..<40).reversed().map { "\($0 % 10)" }.joined() + "z"
            #expect(try names(track.objects("parts")) == expected)
        }
    }

    @Test(.sqliteOnly("a file that another program changes")) func extremePositionsDoNotTrap() throws {
        let folder = try Folder()
        let store = try Place.file.store(Self.model(), in: folder)
        let id = try store.write { context in
            let track = try Self.make("Track", "t", context)
            for name in ["a", "b"] { try track.add(Self.make("Part", name, context), to: "parts") }
            return track.id
        }
        try shell(folder.url.appending(path: "s.sqlite")) { database in
            try database.execute(sql: "UPDATE Part SET \"_order.track\" = 9223372036854775807 WHERE name = 'a'")
            try database.execute(sql: "UPDATE Part SET \"_order.track\" = -9223372036854775808 WHERE name = 'b'")
        }
        try store.write { context in
            let track = try context.object(id)
            let part = try Self.make("Part", "c", context)
            #expect(throws: StoreError(code: .limitExceeded)) { try track.add(part, to: "parts") }
            try track.insert(part, into: "parts", at: 2)
            #expect(try names(track.objects("parts")) == "bac")
        }
    }

    @Test(arguments: [(Place.file, true), (.file, false)])
    func friendsAreMutual(place: Place, isEditing: Bool) throws {
        try edit(place, isEditing: isEditing) { context in
            let all = try ["a", "b", "c"].map { try Self.make("Track", $0, context) }
            try all[0].add(all[1], to: "friends")
            try all[2].add(all[0], to: "friends")
            try all[0].add(all[0], to: "friends")
            try context.save()
            #expect(try names(all[0].objects("friends")) == "abc")
            #expect(try names(all[1].objects("friends")) == "a")
            try all[1].remove(all[0], from: "friends")
            #expect(try names(all[0].objects("friends")) == "ac")
            try context.delete(all[2])
            try context.save()
            #expect(try names(all[0].objects("friends")) == "a")
        }
    }

    @Test(arguments: [(Place.file, true), (.file, false)])
    func twinsAreMutual(place: Place, isEditing: Bool) throws {
        try edit(place, isEditing: isEditing) { context in
            let all = try ["a", "b", "c", "d"].map { try Self.make("Track", $0, context) }
            try all[0].setObject(all[1], for: "twin")
            try all[2].setObject(all[3], for: "twin")
            #expect(try all[1].object("twin") === all[0])
            // Both leave their former partners.
            try all[0].setObject(all[2], for: "twin")
            try context.save()
            #expect(try all.map { try $0.object("twin")?.value("name", as: String.self) } == ["c", nil, "a", nil])
            try all[2].setObject(all[2], for: "twin")
            #expect(try all.map { try $0.object("twin")?.value("name", as: String.self) } == [nil, nil, "c", nil])
            try all[2].setObject(nil, for: "twin")
            #expect(try all[2].object("twin") == nil)
        }
    }

    @Test(arguments: [(Place.file, true), (.file, false)])
    func twinsThatAreSetByNumberAreMutual(place: Place, isEditing: Bool) throws {
        try edit(place, isEditing: isEditing) { context in
            let all = try ["a", "b", "c"].map { try Self.make("Track", $0, context) }
            try all[1].setValue(all[0].id.number, for: "twin")
            #expect(try all[0].object("twin") === all[1])
            try all[2].setValue(all[0].id.number, for: "twin")
            try context.save()
            #expect(try all.map { try $0.object("twin")?.value("name", as: String.self) } == ["c", nil, "a"])
            try all[0].removeValue(for: "twin")
            #expect(try all[2].object("twin") == nil)
        }
    }

    @Test func anOrderCanBeAddedLater() throws {
        let folder = try Folder()
        let first = try Place.file.store(Self.model(1), in: folder)
        try first.write { context in
            let track = try Self.make("Track", "t", context)
            for name in ["a", "b"] { try track.add(Self.make("Part", name, context), to: "parts") }
            for name in ["x", "y"] { try track.add(Self.make("List", name, context), to: "lists") }
        }
        try first.close()
        let store = try Place.file.store(Self.model(2), in: folder)
        try store.write { context in
            let track = try #require(try context.first("Track"))
            #expect(try names(track.objects("parts")) == "ab")
            #expect(try names(track.objects("lists")) == "xy")
            try track.insert(track.objects("parts")[1], into: "parts", at: 0)
            try track.insert(track.objects("lists")[1], into: "lists", at: 0)
            try context.save()
            #expect(try names(track.objects("parts")) == "ba")
            #expect(try names(track.objects("lists")) == "yx")
        }
    }

    /// A way in which an object joins a list.
    enum Joining: String, CaseIterable {
        case toMany = "parts"
        case toOne = "track"
        case pair = "lists"
        case pairFromTheOtherSide = "tracks"

        /// Adds a new object to a track.
        func join(_ name: String, _ track: ManagedObject, _ context: StoreContext) throws {
            switch self {
            case .toMany: try track.add(OrderTests.make("Part", name, context), to: rawValue)
            case .pair: try track.add(OrderTests.make("List", name, context), to: rawValue)
            case .toOne: try OrderTests.make("Part", name, context).setObject(track, for: rawValue)
            case .pairFromTheOtherSide: try OrderTests.make("List", name, context).add(track, to: rawValue)
            }
        }
    }

    // A migration gives no positions to the objects that it finds.
    @Test(arguments: Joining.allCases, [true, false])
    func newObjectsFollowThoseWithoutAPosition(way: Joining, isEditing: Bool) throws {
        let folder = try Folder()
        let list = way == .toMany || way == .toOne ? "parts" : "lists"
        let first = try Place.file.store(Self.model(1), in: folder)
        try first.write { context in
            let track = try Self.make("Track", "t", context)
            for name in ["a", "b", "c"] { try way.join(name, track, context) }
        }
        try first.close()
        let store = try Place.file.store(Self.model(2), in: folder)
        let add: @Sendable (StoreContext) throws -> Void = { context in
            let track = try #require(try context.first("Track"))
            for name in ["d", "e"] { try way.join(name, track, context) }
            #expect(try names(track.objects(list)) == "abcde")
            try context.save()
            try way.join("f", track, context)
            try context.save()
        }
        if isEditing { try add(store.makeContext()) } else { try store.write(add) }
        let found = try store.read { try names(#require(try $0.first("Track")).objects(list)) }
        #expect(found == "abcdef")
        #expect(try store.verify().isSound)
    }

    @Test func newObjectsFollowThoseOfABulkInsertion() throws {
        let folder = try Folder()
        let store = try Place.file.store(Self.model(), in: folder)
        let id = try store.write { context in
            let track = try Self.make("Track", "t", context)
            for name in ["a", "b"] { try track.add(Self.make("Part", name, context), to: "parts") }
            return track.id
        }
        try store.insert(many: ["c", "d"], into: "Part") { part, name in
            try part.setValue(name, for: "name")
            try part.setValue(id.number, for: "track")
        }
        let found = try store.write { context in
            let track = try context.object(id)
            try track.add(Self.make("Part", "e", context), to: "parts")
            return try names(track.objects("parts"))
        }
        #expect(found == "abcde")
    }

    /// The context knows the last position before the bulk insertion, which gives none.
    @Test(arguments: [true, false]) func newObjectsFollowThoseOfABulkInsertionInBetween(isEditing: Bool) throws {
        try edit(.memory, isEditing: isEditing) { context in
            let track = try Self.make("Track", "t", context)
            let number = track.id.number
            try track.add(Self.make("Part", "a", context), to: "parts")
            try context.insert(many: ["b", "c"], into: "Part") { part, name in
                try part.setValue(name, for: "name")
                try part.setValue(number, for: "track")
            }
            try track.add(Self.make("Part", "d", context), to: "parts")
            #expect(try names(track.objects("parts")) == "abcd")
        }
    }

    /// A reference that is set as a number gives no position, either.
    @Test(arguments: [true, false]) func newObjectsFollowThoseThatWereRelatedByNumber(isEditing: Bool) throws {
        try edit(.memory, isEditing: isEditing) { context in
            let track = try Self.make("Track", "t", context)
            try track.add(Self.make("Part", "a", context), to: "parts")
            try Self.make("Part", "b", context).setValue(track.id.number, for: "track")
            try track.add(Self.make("Part", "c", context), to: "parts")
            #expect(try names(track.objects("parts")) == "abc")
        }
    }

    @Test(arguments: [false, true]) func newObjectsFollowThoseThatAnotherContextHasAdded(isRefreshed: Bool) throws {
        let folder = try Folder()
        let store = try Place.file.store(Self.model(), in: folder)
        let id = try store.write { try Self.make("Track", "t", $0).id }
        let context = store.makeContext()
        let track = try context.object(id)
        try track.add(Self.make("Part", "a", context), to: "parts")
        try store.write { other in
            let track = try other.object(id)
            for _ in 0..<10 { try track.add(Self.make("Part", "b", other), to: "parts") }
        }
        if isRefreshed { context.refreshAll() }
        try track.add(Self.make("Part", "c", context), to: "parts")
        try context.save()
        let parts = try store.read { try names($0.object(id).objects("parts")) }
        #expect(parts.last == "c")
        #expect(parts.count == 12)
    }

    @Test func internalColumnsAreNotAttributes() throws {
        let folder = try Folder()
        let store = try Place.file.store(Self.model(), in: folder)
        #expect(try store.attributes(of: "Part").map(\.name) == ["name", "track"])
        try store.write { context in
            let track = try Self.make("Track", "t", context)
            let part = try Self.make("Part", "p", context)
            try track.add(part, to: "parts")
            #expect(part.changedAttributes == ["name", "track"])
        }
    }
}
