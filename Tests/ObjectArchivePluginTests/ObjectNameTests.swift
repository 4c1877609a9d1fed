import Foundation
import KeyedArchivePlugin
import ObjectArchivePlugin
import Testing
import Transformable

/// Objects of one name are the same to a class and to a `Codable` type.
@Suite struct ObjectNameTests {
    struct Track: Codable, KeyedArchiveNamed {
        static let archiveClassName = "ACMETrack"
        static let archiveVersion = 2

        var title: String
        var seconds: Int
        var version = Self.archiveVersion

        enum CodingKeys: String, CodingKey {
            case title, seconds
        }

        init(title: String, seconds: Int) {
            self.title = title
            self.seconds = seconds
        }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            title = try container.decode(String.self, forKey: .title)
            seconds = try container.decode(Int.self, forKey: .seconds)
            version = decoder.archiveVersion
        }
    }

    /// What a class of Apple's would be under the same name.
    final class TrackObject: NSObject, NSSecureCoding, KeyedArchiveNamed {
        static let archiveClassName = "ACMETrack"
        static var supportsSecureCoding: Bool { true }
        let title: String
        let seconds: Int

        init(title: String, seconds: Int) {
            self.title = title
            self.seconds = seconds
        }

        required init?(coder: NSCoder) {
            title = coder.decodeObject(of: NSString.self, forKey: "title").map { String($0) } ?? ""
            seconds = coder.decodeInteger(forKey: "seconds")
        }

        func encode(with coder: NSCoder) {
            coder.encode(title, forKey: "title")
            coder.encode(seconds, forKey: "seconds")
        }
    }

    @Test func classesAndStructsReadEachOthersArchives() throws {
        let bytes = try KeyedArchiveTransformer<Track>().encode(Track(title: "Ada", seconds: 215))
        let object = try ObjectArchiveTransformer<TrackObject>().decode(bytes)
        #expect(object.title == "Ada")
        #expect(object.seconds == 215)
        let track = try KeyedArchiveTransformer<Track>().decode(ObjectArchiveTransformer<TrackObject>().encode(object))
        #expect(track.title == "Ada")
        #expect(track.version == 0)
    }
}
