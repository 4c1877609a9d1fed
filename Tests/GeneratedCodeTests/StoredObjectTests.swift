import Foundation
import Testing
import TransformableEntities

/// Objects of generated classes are stored and read with all of their values and relationships.
@Suite struct StoredObjectTests {
    @Test func storesAFamilyOfClasses() throws {
        try GeneratedModel.animals.roundTrip { context in
            let keeper = context.insert(Keeper())
            let (bit, tom) = (Puppy(name: "Bit", breed: "pug"), Cat(name: "Tom"))
            (bit.legs, tom.lives) = (3, 8)
            keeper.animals = [Dog(name: "Rex", breed: "beagle"), bit, tom]
            keeper.favorite = bit
        } read: { context in
            let animals = try context.fetch(Animal.self, sortedBy: [SortDescriptor(\.name)])
            #expect(
                animals.map { "\(type(of: $0)) \($0.name) \($0.legs)" }.joined(separator: ", ")
                    == "Puppy Bit 3, Dog Rex 4, Cat Tom 4"
            )
            #expect((animals[1] as? Dog)?.breed == "beagle" && (animals[2] as? Cat)?.lives == 8)
            let keeper = try #require(animals[0].keeper)
            #expect(Set(keeper.animals.map(\.name)) == ["Bit", "Rex", "Tom"])
            #expect(keeper.favorite === animals[0] && keeper.favorite is Puppy)
            #expect(try context.first(Dog.self, where: \Dog.breed == "pug") === animals[0])
        }
    }

    @Test func storesRelationshipsWithCounts() throws {
        try GeneratedModel.bounds.roundTrip { context in
            let players = (1...4).map { Player(number: $0) }
            let team = Team()
            team.captain = players[0]
            (team.players, team.starters, team.reserves) = (players, Array(players[..<2]), Array(players[2...]))
            context.insert(team)
        } read: { context in
            let team = try #require(try context.first(Team.self))
            #expect(team.captain?.number == 1 && team.captain?.leads === team)
            #expect(team.players.map(\.number).sorted() == [1, 2, 3, 4])
            #expect(team.players.allSatisfy { $0.team === team })
            #expect(team.starters.map(\.number).sorted() == [1, 2])
            #expect(team.reserves.map(\.number).sorted() == [3, 4])
        }
    }

    @Test(arguments: [1, 12])
    func refusesOtherCounts(_ starters: Int16) throws {
        try GeneratedModel.bounds.withFile { url in
            let store = try BoundsSchema.store(at: url, transformers: GeneratedModel.registry())
            let error = #expect(throws: StoreError.self) {
                try store.write { context in
                    let team = Team()
                    team.starters = (1...starters).map { Player(number: $0) }
                    (team.captain, team.players) = (team.starters[0], team.starters)
                    context.insert(team)
                }
            }
            #expect(error?.code == .invalidValue)
            #expect(error?.attribute == "starters")
            #expect(try store.read { try $0.count(Player.self) } == 0)
        }
    }

    @Test func storesRelationshipsToTheSameClass() throws {
        try GeneratedModel.family.roundTrip { context in
            let names = ["Ada", "Bea", "Cid", "Dan"]
            let people = names.map { context.insert(Person(name: $0)) }
            people[0].children = [people[1], people[2]]
            people[1].spouse = people[3]
            people[2].friends = [people[0], people[3]]
            people[3].heroes = [people[2], people[0], people[1]]
            (people[0].guests, people[0].host) = ([people[1]], people[3])
        } read: { context in
            let people = try context.fetch(Person.self, sortedBy: [SortDescriptor(\.name)])
            #expect(people.map { $0.mother?.name } == [nil, "Ada", "Ada", nil])
            #expect(Set(people[0].children.map(\.name)) == ["Bea", "Cid"])
            #expect(people[1].spouse === people[3] && people[3].spouse == nil)
            #expect(Set(people[2].friends.map(\.name)) == ["Ada", "Dan"])
            #expect(people[3].heroes.map(\.name) == ["Cid", "Ada", "Bea"])
            #expect(people[0].guests == [] && people[0].host == nil)
        }
    }

    @Test func storesOrderedAndManyToManyRelationships() throws {
        try GeneratedModel.library.roundTrip { context in
            let author = context.insert(Author(family: "Lem", given: "Stanisław"))
            author.books = ["Solaris", "Eden", "Fiasko"].map { Book(isbn: "i\($0)", title: $0) }
            author.books.last?.pages = 336
            context.insert(Genre(label: "novel")).books = author.books
            author.books[1].genres.append(Genre(label: "utopia"))
        } read: { context in
            let author = try #require(try context.first(Author.self))
            #expect((author.family, author.given, author.born) == ("Lem", "Stanisław", nil))
            #expect(author.books.map(\.title) == ["Solaris", "Eden", "Fiasko"])
            #expect(author.books.map(\.pages) == [100, 100, 336])
            #expect(author.books.map { Set($0.genres.map(\.label)) } == [["novel"], ["novel", "utopia"], ["novel"]])
        }
    }

    @Test func keepsUniquenessAndDeleteRules() throws {
        try GeneratedModel.library.withFile { url in
            let store = try LibrarySchema.store(at: url, transformers: GeneratedModel.registry())
            try store.write { context in
                let author = context.insert(Author(family: "Lem", given: "Stanisław"))
                author.books = [Book(isbn: "1", title: "Eden"), Book(isbn: "2", title: "Fiasko")]
            }
            let twice = #expect(throws: StoreError.self) {
                try store.write { _ = $0.insert(Author(family: "Lem", given: "Stanisław")) }
            }
            #expect(twice?.code == .notUnique)
            try store.write { context in
                let author = try #require(try context.first(Author.self))
                try context.delete(author)
            }
            #expect(try store.read { try $0.count(Book.self) } == 0)
        }
    }

    @Test func storesRenamedProperties() throws {
        try GeneratedModel.history.roundTrip { context in
            let client = context.insert(Client(full: "Ada"))
            client.code = -1
            client.orders = [Order(total: 0.5), Order(total: -3)]
        } read: { context in
            let client = try #require(try context.first(Client.self))
            #expect((client.full, client.mail, client.code) == ("Ada", nil, -1))
            #expect(client.orders.map(\.total).sorted() == [-3, 0.5])
        }
    }

    @Test func runsFetchRequests() throws {
        try GeneratedModel.requests.roundTrip { context in
            for (title, length) in [("A", 1.0), ("b", 5.0), ("Ä", 9.0), ("C", 7.0)] {
                let track = context.insert(Track(title: title))
                track.length = length
                track.lists.append(Playlist(name: title))
            }
        } read: { context in
            let long = try Track.longTracks(in: context, length: 3, titles: ["A", "b", "Ä"])
            #expect(long.map(\.title) == ["b", "Ä"])
            #expect(long.map(\.folded) == ["b", "a"])
            #expect(long.map(\.listCount) == [1, 1])
            #expect(try Track.allTracks(in: context).count == 4)
        }
    }

    @Test func storesPropertiesWithReservedNames() throws {
        let day = Date(timeIntervalSinceReferenceDate: 0.1)
        try GeneratedModel.words.roundTrip { context in
            let task = context.insert(Task(default: "d", init: true, `inout`: false, super: 0.25))
            (task.`in`, task.type, task.hash, task.context, task.entityName) = (-9, "t", 4, "c", "e")
            task.`where` = Notification()
            let date = context.insert(DateEntity(day: day))
            date.`protocol` = ProtocolEntity()
            context.insert(Category(await: day))
        } read: { context in
            let task = try #require(try context.first(Task.self))
            #expect((task.`default`, task.`class`, task.`in`) == ("d", "x", -9))
            #expect((task.`init`, task.`inout`, task.`super`) == (true, false, 0.25))
            #expect((task.type, task.description, task.hash) == ("t", "", 4))
            #expect((task.context, task.entityName) == ("c", "e"))
            #expect(task.`where`?.`for`.first === task)
            let date = try #require(try context.first(DateEntity.self))
            #expect(date.day == day && date.`protocol`?.dates == [date])
            #expect(try context.first(Category.self)?.`await` == day)
        }
    }
}
