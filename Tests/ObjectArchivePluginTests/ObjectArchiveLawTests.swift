import Foundation
import KeyedArchivePlugin
import ObjectArchivePlugin
import Testing
import Transformable
import TransformableTesting

/// The law of limits: what a transformer refuses to read, it must refuse to write.
@Suite struct ObjectArchiveLawTests {
    struct Limits: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let limits: KeyedArchiveLimits
    }

    static let limits = [
        Limits(testDescription: "bytes", limits: KeyedArchiveLimits(bytes: 2_000)),
        Limits(testDescription: "objects", limits: KeyedArchiveLimits(objects: 60)),
        Limits(testDescription: "depth", limits: KeyedArchiveLimits(depth: 6)),
    ]

    /// The tests of all plugins' laws and those of mutations try damage.
    private static let options = {
        var options = LawOptions()
        options.damagesPerValue = 16
        options.oversizedValues = 0
        return options
    }()

    /// Around every limit: many objects, long values, deep collections, and arrays that contain the same array twice.
    private static var lists: [NSArray] {
        let counts = [0, 1, 20, 30, 50, 52, 54, 56, 58, 60, 62, 100, 200, 500]
        let many = counts.map { NSArray(array: (0..<$0).map { NSNumber(value: $0) }) }
        let equal = counts.map { NSArray(array: Array(repeating: "same", count: $0)) }
        let dates = counts.map { NSArray(array: (0..<$0).map { NSDate(timeIntervalSinceReferenceDate: Double($0)) }) }
        let long = [100, 1_000, 1_400, 1_700, 1_800, 5_000].map { NSArray(object: NSData(data: Data(count: $0))) }
        let deep = (1...9).map { (0..<$0).reduce(NSArray()) { inner, _ in NSArray(object: inner) } }
        let dictionaries = (1...9)
            .map { (0..<$0).reduce(NSArray()) { inner, _ in NSArray(object: NSDictionary(dictionary: ["a": inner])) } }
        let shared = (1...7)
            .map { (0..<$0).reduce(NSArray(object: "a")) { inner, _ in NSArray(array: [inner, inner]) } }
        return many + equal + dates + long + deep + dictionaries + shared
    }

    @Test(arguments: KeyedArchiveFormat.allCases, limits)
    func listsAreOnlyWrittenIfTheyCanBeRead(format: KeyedArchiveFormat, limits: Limits) {
        assertTransformerLaws(
            of: ObjectArchiveTransformer<NSArray>(format: format, limits: limits.limits),
            values: [NSArray(object: 1)],
            limiting: Self.lists,
            options: Self.options,
            by: { $0.isEqual($1) }
        )
    }

    @Test(arguments: KeyedArchiveFormat.allCases, limits)
    func ownClassesAreOnlyWrittenIfTheyCanBeRead(format: KeyedArchiveFormat, limits: Limits) {
        let wide = [1, 5, 10, 12, 14, 16, 18, 20, 30, 50]
            .map { Node("root", (0..<$0).map { Node("\($0)") }) }
        let long = [100, 500, 900, 1_500, 1_900, 5_000].map { Node(String(repeating: "é", count: $0)) }
        assertTransformerLaws(
            of: ObjectArchiveTransformer<Node>(format: format, limits: limits.limits),
            values: [Node("a")],
            limiting: Self.chains(1...6) + wide + long,
            options: Self.options,
            by: { Self.text(of: $0) == Self.text(of: $1) }
        )
    }

    /// A node takes two levels, of which classes can have 512.
    @Test(arguments: KeyedArchiveFormat.allCases)
    func deepClassesAreOnlyWrittenIfTheyCanBeRead(format: KeyedArchiveFormat) {
        assertTransformerLaws(
            of: ObjectArchiveTransformer<Node>(format: format),
            values: [Node("a")],
            limiting: Self.chains(253...259),
            options: Self.options,
            by: { Self.text(of: $0) == Self.text(of: $1) }
        )
    }

    /// Chains of as many nodes, each of which is the only child of the one before.
    private static func chains(_ counts: ClosedRange<Int>) -> [Node] {
        counts.map { count in (1..<count).reduce(Node("1")) { inner, number in Node("\(number + 1)", [inner]) } }
    }

    private static func text(of node: Node) -> String {
        "\(node.title)(\(node.children.map(text).joined(separator: ",")))"
    }
}
