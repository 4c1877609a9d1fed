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

    @Test func isArchivedAsAnObjectOfItsClass() throws {
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
}
