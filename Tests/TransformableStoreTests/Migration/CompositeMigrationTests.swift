import Foundation
import GRDB
import Testing
import Transformable
import TransformableSQLite
import TransformableStore

/// Composites, and parts of them, that a newer model has by other names.
@Suite(.eachEngine) struct CompositeMigrationTests {
    private let folder: Folder

    init() throws {
        folder = try Folder()
    }

    private func open(_ version: Int, _ composites: CompositeDescription..., fromJSON: Bool = false) throws -> Store {
        let entity = EntityDescription("Item", attributes: [.string("name", .default(""))], composites: composites)
        let model = try Model(version: version, entities: [entity])
        return try Store.trial(
            at: folder.file(),
            model: fromJSON ? Model(json: model.json) : model,
            transformers: TransformerRegistry {}
        )
    }

    private func fill(_ store: Store, _ name: String) throws {
        try store.write { context in
            for number in 1...3 {
                let item = try context.insert("Item")
                try item.setValue(CGSize(width: number, height: 10 * number), for: name)
            }
        }
        try store.close()
    }

    private static func composite(_ name: String, _ former: FormerNames = nil) -> CompositeDescription {
        var composite = CompositeDescription(name, as: CGSize.self)
        composite.renamedFrom = former
        return composite
    }

    /// The same values by parts with names of their own.
    private static func plain(
        _ name: String,
        _ former: FormerNames = nil,
        _ parts: (String, FormerNames)...
    ) -> CompositeDescription {
        var composite = CompositeDescription(
            name,
            parts: parts.map { name, former in
                var part = AttributeDescription.double(name)
                part.renamedFrom = former
                return part
            }
        )
        composite.renamedFrom = former
        return composite
    }

    private func numbers(_ store: Store, _ columns: String...) throws -> [[Double]] {
        try store.read { context in
            try context.fetch("Item").map { item in try columns.map { try item.value($0, as: Double.self) } }
        }
    }

    private static let expected: [[Double]] = [[1, 10], [2, 20], [3, 30]]

    @Test(arguments: [FormerNames("size"), [.init("size", in: 2)]], [false, true])
    func renamedCompositesKeepTheirValues(former: FormerNames, fromJSON: Bool) throws {
        try fill(open(1, Self.composite("size")), "size")
        let store = try open(2, Self.composite("extent", former), fromJSON: fromJSON)
        #expect(try numbers(store, "extent_width", "extent_height") == Self.expected)
        #expect(try store.read { try $0.fetch("Item")[1].value("extent", as: CGSize.self).height } == 20)
        #expect(try store.namesSetAside() == [])
        #expect(try store.verify().isSound)
        let other = try Store.trial(at: folder.file(), transformers: TransformerRegistry {})
        #expect(other.model.entities[0].composites[0].renamedFrom == former)
    }

    @Test func renamedPartsKeepTheirValues() throws {
        try fill(open(1, Self.composite("size")), "size")
        let store = try open(2, Self.plain("extent", "size", ("across", "width"), ("high", "height")))
        #expect(try numbers(store, "extent_across", "extent_high") == Self.expected)
    }

    @Test func partsCanSwapTheirNames() throws {
        try fill(open(1, Self.composite("size")), "size")
        let exchanged = Self.plain(
            "extent",
            [.init("size", in: 2)],
            ("height", [.init("width", in: 2)]),
            ("width", [.init("height", in: 2)])
        )
        #expect(try numbers(open(2, exchanged), "extent_height", "extent_width") == Self.expected)
    }

    // The whole, the parts, and the whole again: whichever version a file has, it finds its columns.
    @Test(arguments: 1...3, [false, true]) func compositesCanBeRenamedInSeveralVersions(first: Int, isStated: Bool)
        throws
    {
        func names(_ list: [(String, Int)]) -> FormerNames {
            FormerNames(list.map { .init($0.0, in: isStated ? $0.1 : nil) })
        }
        func composite(_ version: Int) -> CompositeDescription {
            let part = version < 3 ? ("width", names([])) : ("across", names([("width", 3)]))
            let other = version < 3 ? ("height", names([])) : ("high", names([("height", 3)]))
            return switch version {
            case 1: Self.plain("size", nil, part, other)
            case 2, 3: Self.plain("extent", names([("size", 2)]), part, other)
            default: Self.plain("area", names([("size", 2), ("extent", 4)]), part, other)
            }
        }
        try fill(open(first, composite(first)), composite(first).name, composite(first).parts.map(\.name))
        let store = try open(4, composite(4))
        #expect(try numbers(store, "area_across", "area_high") == Self.expected)
        #expect(try store.namesSetAside() == [])
    }

    private func fill(_ store: Store, _ name: String, _ parts: [String]) throws {
        try store.write { context in
            for number in 1...3 {
                let item = try context.insert("Item")
                for (part, factor) in zip(parts, [1, 10]) {
                    try item.setValue(Double(factor * number), for: "\(name)_\(part)")
                }
            }
        }
        try store.close()
    }

    // The name that became free goes to another composite.
    @Test func anotherCompositeCanTakeTheName() throws {
        try fill(open(1, Self.composite("size")), "size")
        var new = CompositeDescription("size", as: CGSize.self, optional: true)
        new.addedIn = 2
        let store = try open(2, Self.composite("extent", [.init("size", in: 2)]), new)
        #expect(try numbers(store, "extent_width", "extent_height") == Self.expected)
        #expect(try store.read { try $0.fetch("Item")[0].value("size", as: CGSize?.self) } == nil)
    }

    @Test func rejectsTwoCompositesWithTheSameFormerName() throws {
        try fill(open(1, Self.composite("size")), "size")
        let error = #expect(throws: StoreError(code: .unsupported)) {
            try open(2, Self.composite("extent", "size"), Self.composite("area", "size"))
        }
        #expect(error?.message.contains("are both renamed from “size_height”") == true)
        #expect(try numbers(open(1, Self.composite("size")), "size_width", "size_height") == Self.expected)
    }

    @Test func requiresTheVersionsOfAllNamesOrNone() throws {
        let composite = Self.plain("extent", [.init("size", in: 2)], ("across", "width"), ("high", nil))
        let entity = EntityDescription("Item", composites: [composite])
        let error = #expect(throws: StoreError(code: .invalidModel)) { try Model(version: 2, entities: [entity]) }
        let fault = "Item.extent and its parts have former names, only some of which state a version"
        #expect(error?.faults == [fault])
        let early = EntityDescription("Item", composites: [Self.composite("extent", [.init("size", in: 3)])])
        let other = #expect(throws: StoreError(code: .invalidModel)) { try Model(version: 2, entities: [early]) }
        #expect(other?.faults.contains { $0.hasPrefix("Item.extent states a version") } == true)
    }
}
