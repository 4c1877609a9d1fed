import Foundation
import KeyedArchivePlugin
import Testing
import Transformable

@Suite struct OwnTypesInArchivesSampleTests {
    struct Track: Codable, KeyedArchiveNamed {
        static let archiveClassName = "ACMETrack"
        static let formerArchiveClassNames = ["Song"]
        static let archiveVersion = 2

        var title: String
        var seconds: Int
    }

    struct OldTrack: Codable {
        var title: String
        var seconds: Int

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            title = try container.decode(String.self, forKey: .title)
            let length = try container.decode(Int.self, forKey: .seconds)
            seconds = decoder.archiveVersion < 2 ? length * 60 : length
        }
    }

    struct Title: Codable {
        var title: String
    }

    @Test func codableTypes() throws {
        let bytes = try KeyedArchiveTransformer<Track>().encode(Track(title: "Ada", seconds: 215))
        let old = try KeyedArchiveTransformer<OldTrack>(classes: ["ACMETrack"]).decode(bytes)
        #expect(old.seconds == 215)
        let registry = try TransformerRegistry { KeyedArchivePlugin() }
        let songs = try registry.transformer("keyed-archive(classes: \"Song\")", for: [Title].self)
        let fields: [String: ArchivedInstance.FieldValue] = ["title": .object("Ada")]
        let song = ArchivedValue.object(ArchivedInstance(ArchivedClass("Song"), fields: fields))
        #expect(try songs.decode(ArchivedValueTransformer().encode([song])).map(\.title) == ["Ada"])
    }
}
