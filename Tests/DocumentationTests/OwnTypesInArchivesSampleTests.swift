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

    class Shape: NSObject, NSSecureCoding {
        class var supportsSecureCoding: Bool { true }
        override init() {}
        required init?(coder: NSCoder) {}
        func encode(with coder: NSCoder) {}
    }

    final class Circle: Shape {
        override class var supportsSecureCoding: Bool { true }
    }

    final class Drawing: NSObject, NSSecureCoding {
        static var supportsSecureCoding: Bool { true }
        let shapes: [Shape]

        init(shapes: [Shape]) {
            self.shapes = shapes
        }

        required init?(coder: NSCoder) {
            shapes = coder.decodeArrayOfObjects(ofClass: Shape.self, forKey: "shapes") ?? []
        }

        func encode(with coder: NSCoder) {
            coder.encode(shapes, forKey: "shapes")
        }
    }

    final class Folder: NSObject, NSSecureCoding {
        static var supportsSecureCoding: Bool { true }
        weak var parent: Folder?
        var inner: Folder?

        init(inner: Folder?) {
            self.inner = inner
            super.init()
            inner?.parent = self
        }

        required init?(coder: NSCoder) {
            super.init()
            inner = coder.decodeObject(of: Folder.self, forKey: "inner")
            coder.decodeReference(of: Folder.self, forKey: "parent") { [weak self] in self?.parent = $0 }
        }

        func encode(with coder: NSCoder) {
            coder.encode(inner, forKey: "inner")
            coder.encodeConditionalObject(parent, forKey: "parent")
        }
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

    @Test func classes() throws {
        let registry = try TransformerRegistry {
            KeyedArchivePlugin(classes: [Shape.self, Circle.self])
        }
        let drawings = try registry.transformer("keyed-archive", for: Drawing.self)
        let read = try drawings.decode(drawings.encode(Drawing(shapes: [Shape(), Circle()])))
        #expect(read.shapes.map { $0 is Circle } == [false, true])

        var classes = ArchiveClasses()
        classes.add(Circle.self, as: "Acme.Circle", formerly: ["Acme.Disk"])
        #expect(classes.readableNames == ["Acme.Circle", "Acme.Disk"])

        let transformer = ObjectArchiveTransformer<Drawing>(classes: [Circle.self, Shape.self])
        #expect(try transformer.decode(drawings.encode(Drawing(shapes: []))).shapes.isEmpty)
    }

    @Test func references() throws {
        let transformer = ObjectArchiveTransformer<Folder>()
        let read = try transformer.decode(transformer.encode(Folder(inner: Folder(inner: nil))))
        #expect(read.inner?.parent === read)
    }
}
