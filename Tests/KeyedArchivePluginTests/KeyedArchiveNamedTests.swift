import Foundation
import KeyedArchivePlugin
import Testing
import Transformable

@Suite struct KeyedArchiveNamedTests {
    struct Track: Codable, Hashable, KeyedArchiveNamed {
        static let archiveClassName = "ACMETrack"
        static let formerArchiveClassNames = ["Song"]
        static let archiveVersion = 2

        var title: String
        var seconds: Int
        var rating: Double?
        var remix: [Track]
        var version = 0

        enum CodingKeys: String, CodingKey {
            case title, seconds, rating, remix
        }

        init(title: String, seconds: Int, rating: Double? = nil, remix: [Track] = []) {
            self.title = title
            self.seconds = seconds
            self.rating = rating
            self.remix = remix
            version = Self.archiveVersion
        }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            title = try container.decode(String.self, forKey: .title)
            seconds = try container.decode(Int.self, forKey: .seconds)
            rating = try container.decodeIfPresent(Double.self, forKey: .rating)
            remix = try container.decodeIfPresent([Track].self, forKey: .remix) ?? []
            version = decoder.archiveVersion
        }
    }

    static let track = Track(title: "Ada", seconds: 215, remix: [Track(title: "Ada II", seconds: 60, rating: 4.5)])

    @Test func roundTrips() throws {
        let transformer = KeyedArchiveTransformer<[Track?]>()
        let tracks = [Self.track, nil]
        #expect(try transformer.decode(transformer.encode(tracks)) == tracks)
    }

    @Test func archivesAValueAsAnObjectOfItsClass() throws {
        let root = try #require(Archive(KeyedArchiveTransformer<Track>().encode(Self.track))["root"])
        #expect(root.archivedClass == ArchivedClass("ACMETrack"))
        #expect(root.fields.map(\.name).sorted() == ["archiveVersion", "remix", "seconds", "title"])
        #expect(root["seconds"]?.number == nil)
        #expect(root["seconds"]?.integer == 215)
        #expect(root["archiveVersion"]?.integer == 2)
    }

    @Test func readsFormerNamesAndPlainDictionaries() throws {
        let fields: [String: ArchivedInstance.FieldValue] = [
            "title": .object("old"), "seconds": .inline(3), "archiveVersion": .inline(1),
        ]
        let song = ArchivedValue.object(ArchivedInstance(ArchivedClass("Song"), fields: fields))
        let track = try KeyedArchiveTransformer<Track>().decode(ArchivedValueTransformer().encode(song))
        #expect(track.title == "old")
        #expect(track.version == 1)
        let plain = try ArchivedValueTransformer().encode(["title": "plain", "seconds": 3])
        #expect(try KeyedArchiveTransformer<Track>().decode(plain).title == "plain")
    }

    @Test func rejectsOtherClassesUnlessTheyAreListed() throws {
        struct Plain: Codable { var title: String }
        let fields: [String: ArchivedInstance.FieldValue] = ["title": .object("x")]
        let other = ArchivedValue.object(ArchivedInstance(ArchivedClass("Acme.Other"), fields: fields))
        let bytes = try ArchivedValueTransformer().encode(["a": .array([other])])
        let error = #expect(throws: TransformerError.self) {
            try KeyedArchiveTransformer<[String: [Plain]]>().decode(bytes)
        }
        #expect(error?.code == .unexpectedClass)
        #expect(error?.message.contains("“a.0” is an object of class Acme.Other") == true)
        let listed = KeyedArchiveTransformer<[String: [Plain]]>(classes: ["Acme.Other"])
        #expect(try listed.decode(bytes)["a"]?.first?.title == "x")
    }

    struct Dog: Codable, Hashable, KeyedArchiveNamed {
        static let archiveClassName = "Dog"
        var n: Int
    }

    struct Cat: Codable, Hashable, KeyedArchiveNamed {
        static let archiveClassName = "Cat"
        var n: Int
    }

    enum Pet: Codable, Hashable {
        case dog(Dog)
        case cat(Cat)

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let dog = try? container.decode(Dog.self) {
                self = .dog(dog)
            } else {
                self = .cat(try container.decode(Cat.self))
            }
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            switch self {
            case .dog(let dog): try container.encode(dog)
            case .cat(let cat): try container.encode(cat)
            }
        }
    }

    @Test func membersOfASetDifferByTheirClass() throws {
        let pets: Set<Pet> = [.dog(Dog(n: 1)), .cat(Cat(n: 1)), .cat(Cat(n: 2))]
        let transformer = KeyedArchiveTransformer<Set<Pet>>()
        let archive = try transformer.encode(pets)
        let members = try #require(Archive(archive)["root"]?["NS.objects"]?.elements)
        #expect(members.compactMap { $0.archivedClass?.name }.sorted() == ["Cat", "Cat", "Dog"])
        #expect(try transformer.decode(archive) == pets)
        let lists: Set<[Pet]> = [[.dog(Dog(n: 1))], [.cat(Cat(n: 1))]]
        let nested = KeyedArchiveTransformer<Set<[Pet]>>()
        #expect(try nested.decode(nested.encode(lists)) == lists)
        #expect(try nested.encode(lists) == nested.encode(Set(Array(lists).reversed())))
    }

    /// Keys that are objects with equal fields differ by their class, and keys that are encoded in the same way by value.
    @Test func dictionariesWithObjectsAsKeysAreDeterministic() throws {
        let pairs = (0..<50).flatMap { [(Pet.dog(Dog(n: $0)), $0), (Pet.cat(Cat(n: $0)), $0)] }
        let transformer = KeyedArchiveTransformer<[Pet: Int]>()
        let bytes = try transformer.encode(Dictionary(uniqueKeysWithValues: pairs))
        var other = Dictionary(uniqueKeysWithValues: pairs.reversed())
        other.reserveCapacity(10_000)
        #expect(try transformer.encode(other) == bytes)
        #expect(try transformer.decode(bytes) == other)
    }

    struct Vague: Codable, Hashable {
        var n: Int

        init(n: Int) { self.n = n }
        init(from decoder: any Decoder) throws { n = try decoder.singleValueContainer().decode([Int].self).count }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode([Int]())
        }
    }

    @Test func dictionariesWithKeysThatLookEqualAreDeterministic() throws {
        let pairs = (0..<50).map { (Vague(n: $0), $0) }
        let transformer = KeyedArchiveTransformer<[Vague: Int]>()
        var other = Dictionary(uniqueKeysWithValues: pairs.reversed())
        other.reserveCapacity(10_000)
        #expect(try transformer.encode(other) == transformer.encode(Dictionary(uniqueKeysWithValues: pairs)))
    }

    /// Encodes its content as its own.
    struct Wrapper<Content: Codable & Equatable>: Codable, Equatable, KeyedArchiveNamed {
        static var archiveClassName: String { "Wrapper" }
        var content: Content

        init(_ content: Content) { self.content = content }
        init(from decoder: any Decoder) throws { content = try decoder.singleValueContainer().decode(Content.self) }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode(content)
        }
    }

    struct Plain: Codable, Equatable {
        var title: String
        var number: Int
    }

    struct Middle<Content: Codable & Equatable>: Codable, Equatable {
        var content: Content

        init(_ content: Content) { self.content = content }
        init(from decoder: any Decoder) throws { content = try decoder.singleValueContainer().decode(Content.self) }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode(content)
        }
    }

    @Test func aWrapperHasTheFieldsOfItsContent() throws {
        let value = Wrapper(Middle(Plain(title: "a", number: 1)))
        let transformer = KeyedArchiveTransformer<Wrapper<Middle<Plain>>>()
        let bytes = try transformer.encode(value)
        #expect(try Archive(bytes)["root"]?.archivedClass?.name == "Wrapper")
        #expect(try transformer.decode(bytes) == value)
        let named = KeyedArchiveTransformer<Wrapper<Dog>>()
        #expect(try named.decode(named.encode(Wrapper(Dog(n: 1)))) == Wrapper(Dog(n: 1)))
        let error = #expect(throws: TransformerError.self) {
            try KeyedArchiveTransformer<Middle<Plain>>().decode(bytes)
        }
        #expect(error?.code == .unexpectedClass)
    }

    @Test func keysThatBeginWithADollarAreEscaped() throws {
        struct Odd: Codable, Equatable, KeyedArchiveNamed {
            static let archiveClassName = "Odd"
            var values: [String: String]
            init(_ values: [String: String]) { self.values = values }
            init(from decoder: any Decoder) throws { values = try [String: String](from: decoder) }
            func encode(to encoder: any Encoder) throws { try values.encode(to: encoder) }
        }
        let odd = Odd(["$class": "x", "$": "y", "plain": "z"])
        let transformer = KeyedArchiveTransformer<Odd>()
        #expect(try transformer.decode(transformer.encode(odd)) == odd)
    }

    struct Versioned: Codable, Equatable, KeyedArchiveNamed {
        static let archiveClassName = "Versioned"
        static let archiveVersion = 2
        var archiveVersion: Int
    }

    struct Unversioned: Codable, Equatable, KeyedArchiveNamed {
        static let archiveClassName = "Unversioned"
        var archiveVersion: Int
    }

    /// A dictionary that encodes itself as an object, in two versions of a program.
    struct Table: Codable, Equatable, KeyedArchiveNamed {
        static let archiveClassName = "Table"
        var entries: [String: Int]

        init(_ entries: [String: Int]) { self.entries = entries }
        init(from decoder: any Decoder) throws { entries = try [String: Int](from: decoder) }
        func encode(to encoder: any Encoder) throws { try entries.encode(to: encoder) }
    }

    struct LaterTable: Codable, Equatable, KeyedArchiveNamed {
        static let archiveClassName = "Table"
        static let archiveVersion = 2
        var entries: [String: Int]

        init(_ entries: [String: Int]) { self.entries = entries }
        init(from decoder: any Decoder) throws { entries = try [String: Int](from: decoder) }
        func encode(to encoder: any Encoder) throws { try entries.encode(to: encoder) }
    }

    @Test(arguments: [["a": 1], ["a": 1, "archiveVersion": 7], ["$archiveVersion": 1, "archiveVersion": 7]])
    func aDictionaryNeitherGainsNorLosesAnEntry(entries: [String: Int]) throws {
        let (earlier, later) = (KeyedArchiveTransformer<Table>(), KeyedArchiveTransformer<LaterTable>())
        let archives = try [earlier.encode(Table(entries)), later.encode(LaterTable(entries))]
        #expect(try archives.map { try earlier.decode($0).entries } == [entries, entries])
        #expect(try archives.map { try later.decode($0).entries } == [entries, entries])
    }

    /// Earlier versions wrote the key of a type without a version as the field.
    @Test func readsTheKeyFromEarlierArchives() throws {
        let fields: [String: ArchivedInstance.FieldValue] = ["archiveVersion": .inline(7)]
        let object = ArchivedValue.object(ArchivedInstance(ArchivedClass("Unversioned"), fields: fields))
        let archive = try ArchivedValueTransformer().encode(object)
        #expect(try KeyedArchiveTransformer<Unversioned>().decode(archive) == Unversioned(archiveVersion: 7))
    }

    /// An object with the same field twice has only one of them for other programs.
    @Test func theFieldOfTheVersionIsNoKey() throws {
        let versioned = KeyedArchiveTransformer<Versioned>()
        let archive = try versioned.encode(Versioned(archiveVersion: 7))
        let root = try #require(Archive(archive)["root"])
        #expect(root.fields.map(\.name).sorted() == ["$archiveVersion", "archiveVersion"])
        #expect(root["archiveVersion"]?.integer == 2)
        #expect(try versioned.decode(archive) == Versioned(archiveVersion: 7))
        // Without a version, there is no such field.
        let transformer = KeyedArchiveTransformer<Unversioned>()
        let value = Unversioned(archiveVersion: 7)
        #expect(try transformer.decode(transformer.encode(value)) == value)
        let table = KeyedArchiveTransformer<Wrapper<[String: Int]>>()
        let keys = Wrapper(["archiveVersion": 7, "other": 8])
        #expect(try table.decode(table.encode(keys)) == keys)
    }
}
