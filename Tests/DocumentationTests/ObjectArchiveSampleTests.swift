import Foundation
import ObjectArchivePlugin
import Testing
import Transformable

@Suite struct ObjectArchiveSampleTests {
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

    @Test func classes() throws {
        let registry = try TransformerRegistry {
            ObjectArchivePlugin(classes: [Shape.self, Circle.self])
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
