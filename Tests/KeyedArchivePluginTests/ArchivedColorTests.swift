import Foundation
import KeyedArchivePlugin
import Testing
import Transformable

/// Colors as AppKit and UIKit have archived them.
@Suite struct ArchivedColorTests {
    static let profile = {
        var profile = ArchivedColor.Profile()
        profile.number = 1
        profile.components = [1, 0, 0, 0.5]
        profile.linearExposure = 1
        return profile
    }()
    static let colors = [
        ArchivedColor(.calibratedRGB, [0.25, 0.5, 1]), ArchivedColor(.deviceRGB, [1, 0, 0], alpha: 0.5),
        ArchivedColor(.calibratedWhite, [0.602715373]), ArchivedColor(.deviceWhite, [0], alpha: 0),
        ArchivedColor(.deviceCMYK, [0, 0.25, 0.5, 1]), ArchivedColor(.extendedRGB, [1.1, -0.1, 1.0 / 3], alpha: 0.9),
        ArchivedColor(.extendedWhite, [0.5]), changed(.calibratedRGB, [1, 0, 0]) { $0.profile = profile },
        changed(.calibratedWhite, [0]) { ($0.catalog, $0.name) = ("System", "controlTextColor") },
        changed(.extendedRGB, [1, 1, 1]) { $0.name = "systemBackgroundColor" },
    ]
    .compactMap { $0 }

    static func changed(
        _ space: ArchivedColor.Space,
        _ components: [Double],
        _ change: (inout ArchivedColor) -> Void
    ) -> ArchivedColor? {
        guard var color = ArchivedColor(space, components) else { return nil }
        change(&color)
        return color
    }

    typealias Fields = [String: ArchivedInstance.FieldValue]

    private static func text(_ text: String) -> ArchivedInstance.FieldValue { .inline(.data(Data(text.utf8))) }

    private static func read(_ className: String, _ fields: Fields) throws -> ArchivedValue {
        let instance = ArchivedInstance(ArchivedClass(className), fields: fields)
        return try ArchivedValueTransformer().decode(ArchivedValueTransformer().encode(.object(instance)))
    }

    @Test(arguments: [
        (["NSColorSpace": .inline(1), "NSRGB": text("0.25 0.5 1\0")] as Fields, colors[0]),
        (["NSColorSpace": .inline(2), "NSRGB": text("1 0 0 0.5")], colors[1]),
        (["NSColorSpace": .inline(3), "NSWhite": text("0.602715373\0")], colors[2]),
        (["NSColorSpace": .inline(4), "NSWhite": text("0 0\0")], colors[3]),
        (["NSColorSpace": .inline(5), "NSCMYK": text("0 0.25 0.5 1\0")], colors[4]),
    ])
    func readsAppKitColors(fields: Fields, color: ArchivedColor) throws {
        #expect(try Self.read("NSColor", fields) == .color(color))
    }

    @Test func readsAppKitColorSpaces() throws {
        let space = ArchivedInstance(ArchivedClass("NSColorSpace"), fields: ["NSID": .inline(1)])
        let color = try Self.read(
            "NSColor",
            [
                "NSColorSpace": .inline(1), "NSRGB": Self.text("1 0 0\0"), "NSComponents": Self.text("1 0 0 0.5"),
                "NSLinearExposure": Self.text("1"), "NSCustomColorSpace": .object(.object(space)),
            ]
        )
        #expect(color == .color(Self.colors[7]))
    }

    @Test func readsUIKitColorsOfAllVersions() throws {
        let old: Fields = [
            "UIColorComponentCount": .inline(4), "UIRed": .inline(0.5), "UIGreen": .inline(0.25), "UIBlue": .inline(1),
            "UIAlpha": .inline(1), "NSRGB": Self.text("0.5 0.25 1"), "NSColorSpace": .inline(2),
        ]
        let color = try #require(ArchivedColor(.extendedRGB, [0.5, 0.25, 1]))
        #expect(try Self.read("UIColor", old) == .color(color))
        var new = old
        for (name, number) in [("UIRed", 0.1), ("UIGreen", 0.2), ("UIBlue", 0.3), ("UIAlpha", 1)] {
            new[name + "-Double"] = .inline(.real(number))
        }
        #expect(try Self.read("UIColor", new) == .color(#require(ArchivedColor(.extendedRGB, [0.1, 0.2, 0.3]))))
        let white: Fields = [
            "UIColorComponentCount": .inline(2), "UIWhite": .inline(0.5), "UIAlpha": .inline(1),
            "NSWhite": Self.text("0.5"), "NSColorSpace": .inline(4),
        ]
        #expect(try Self.read("UIColor", white) == .color(Self.colors[6]))
    }

    @Test(arguments: [(1_000, true), (1_001, false)])
    func textIsLimited(count: Int, isRead: Bool) throws {
        let text = "1 0 0" + String(repeating: " ", count: count - 5)
        let value = try Self.read("NSColor", ["NSColorSpace": .inline(2), "NSRGB": Self.text(text)])
        let color = try #require(ArchivedColor(.deviceRGB, [1, 0, 0]))
        #expect((value == .color(color)) == isRead)
    }

    @Test func keepsColorsWithoutComponents() throws {
        let pattern: Fields = ["NSColorSpace": .inline(10), "NSImage": .object("image")]
        guard case .object(let instance) = try Self.read("NSColor", pattern) else {
            Issue.record("a pattern is no list of components")
            return
        }
        #expect(instance["NSImage"] == "image")
    }

    @Test func writesUIKitColorsLikeUIKit() throws {
        let archive = try Archive(ArchivedValueTransformer().encode(.color(Self.colors[5])))
        let expected = """
            root: #1 UIColor
              NSColorSpace: 2
              NSRGB: 18 bytes: 312e31202d302e3120302e33333320302e39
              UIAlpha: \(Double(Float(0.9)))
              UIAlpha-Double: 0.9
              UIBlue: \(Double(Float(1.0 / 3)))
              UIBlue-Double: \(1.0 / 3)
              UIColorComponentCount: 4
              UIGreen: \(Double(Float(-0.1)))
              UIGreen-Double: -0.1
              UIRed: \(Double(Float(1.1)))
              UIRed-Double: 1.1

            """
        #expect(archive.description == expected)
    }

    @Test func rejectsColorsWhoseNameWouldBeLost() throws {
        let color = try #require(Self.changed(.deviceRGB, [0, 0, 0]) { $0.name = "red" })
        let error = #expect(throws: TransformerError.self) { try ArchivedValueTransformer().encode(.color(color)) }
        #expect(error?.code == .invalidValue)
    }
}
