public import Foundation
internal import Transformable
internal import _PropertyLists

/// Insets from the four edges of a rectangle, in points.
public struct ArchivedEdgeInsets: Sendable {
    /// The inset from the top edge.
    public var top: Double
    /// The inset from the left edge.
    public var left: Double
    /// The inset from the bottom edge.
    public var bottom: Double
    /// The inset from the right edge.
    public var right: Double
    /// Whether the insets are `UIEdgeInsets` instead of `NSEdgeInsets`.
    public var isUIKit: Bool

    /// Creates insets.
    public init(top: Double, left: Double, bottom: Double, right: Double, isUIKit: Bool = false) {
        self.top = top
        self.left = left
        self.bottom = bottom
        self.right = right
        self.isUIKit = isUIKit
    }
}

/// Archived `NSDirectionalEdgeInsets` in an `NSValue`.
public struct ArchivedDirectionalEdgeInsets: Sendable, Hashable {
    /// The inset from the top edge.
    public var top: Double
    /// The inset from the leading edge.
    public var leading: Double
    /// The inset from the bottom edge.
    public var bottom: Double
    /// The inset from the trailing edge.
    public var trailing: Double

    /// Creates insets.
    public init(top: Double, leading: Double, bottom: Double, trailing: Double) {
        self.top = top
        self.leading = leading
        self.bottom = bottom
        self.trailing = trailing
    }
}

extension ArchivedDirectionalEdgeInsets: ArchivedStructure {
    static let tag = "$directionalEdgeInsets"
    static let kind = 14
    static let fields = [
        "NS.dirEdgeVal.top", "NS.dirEdgeVal.leading", "NS.dirEdgeVal.bottom", "NS.dirEdgeVal.trailing",
    ]

    var numbers: [Double] { [top, leading, bottom, trailing] }

    init(numbers: [Double]) {
        self.init(top: numbers[0], leading: numbers[1], bottom: numbers[2], trailing: numbers[3])
    }
}

/// An archived `UIOffset` in an `NSValue`.
public struct ArchivedOffset: Sendable, Hashable {
    /// The horizontal offset.
    public var horizontal: Double
    /// The vertical offset.
    public var vertical: Double

    /// Creates an offset.
    public init(horizontal: Double, vertical: Double) {
        self.horizontal = horizontal
        self.vertical = vertical
    }
}

extension ArchivedOffset: ArchivedStructure {
    static let tag = "$offset"
    static let kind = 13
    static let fields = ["NS.offset.h", "NS.offset.v"]

    var numbers: [Double] { [horizontal, vertical] }

    init(numbers: [Double]) {
        self.init(horizontal: numbers[0], vertical: numbers[1])
    }
}

/// An archived `NSAffineTransform`, which has 32-bit numbers.
///
/// A `CGAffineTransform` in an `NSValue` has 64-bit numbers. See ``ArchivedValue/transform(_:)``.
public struct ArchivedAffineTransform: Sendable, Hashable {
    /// The transform.
    ///
    /// It can be archived only if its numbers can be represented as `Float`.
    public let transform: AffineTransform

    /// Creates a transform.
    public init(_ transform: AffineTransform) {
        self.transform = transform
    }
}

extension AffineTransform {
    /// The numbers in the order in which `CGAffineTransform` declares them.
    package var numbers: [Double] { [m11, m12, m21, m22, tX, tY].map { Double($0) } }

    /// Creates a transform from six numbers, or returns nil if there is a different count.
    package init?(numbers: [Double]) {
        guard numbers.count == 6 else { return nil }
        let parts = numbers.map { CGFloat($0) }
        self.init(m11: parts[0], m12: parts[1], m21: parts[2], m22: parts[3], tX: parts[4], tY: parts[5])
    }
}

extension ArchivedAffineTransform: ArchivedCompound {
    static let tag = "$affineTransform"
    /// The field in which Apple's archivers store the numbers as bytes.
    package static let structField = "NSTransformStruct"
    /// The field in which Foundation on Linux stores the numbers: an array, as written by coders without keys.
    private static let listField = "$0"
    private static let listClass = "_NSKeyedCoderOldStyleArray"

    init?(_ instance: ArchivedInstance) {
        guard instance.hasOnly([Self.structField, Self.listField]) else { return nil }
        var numbers: [Double]? = [1, 0, 0, 1, 0, 0]
        if case .object(let list)? = instance[Self.listField] {
            numbers = Self.numbers(list)
        } else if let bytes = instance[Self.structField] {
            numbers = bytes.data.flatMap { Self.numbers($0) }
        }
        guard let transform = numbers.flatMap(AffineTransform.init(numbers:)) else { return nil }
        self.transform = transform
    }

    private static func numbers(_ list: ArchivedInstance) -> [Double]? {
        guard list.archivedClass.name == listClass, list.integer("NS.count") == 6, list.integer("NS.size") == 4,
            list.integer("NS.type") == Int(UInt8(ascii: "f")), list.count == 9
        else { return nil }
        let numbers = (0..<6).compactMap { list["$\($0)"]?.real }
        return numbers.allSatisfy(isFloat) ? numbers : nil
    }

    /// Returns the numbers of big-endian floats: all six, or the scale and the translation, or one of the two after a
    /// byte that indicates which.
    package static func numbers(_ data: Data) -> [Double]? {
        guard data.count <= 24 else { return nil }
        let bytes = [UInt8](data)
        func floats(from start: Int) -> [Double] {
            stride(from: start, to: bytes.count, by: 4)
                .map { start in
                    Double(Float(bitPattern: bytes[start..<start + 4].reduce(0) { $0 << 8 | UInt32($1) }))
                }
        }
        switch (bytes.count, bytes.first) {
        case (24, _):
            return floats(from: 0)
        case (16, _):
            let parts = floats(from: 0)
            return [parts[0], 0, 0, parts[1], parts[2], parts[3]]
        case (9, 1):
            return [1, 0, 0, 1] + floats(from: 1)
        case (9, 2):
            let scale = floats(from: 1)
            return [scale[0], 0, 0, scale[1], 0, 0]
        default:
            return nil
        }
    }

    private static func isFloat(_ number: Double) -> Bool {
        Double(Float(number)).bitPattern == number.bitPattern
    }

    /// Returns an object with both forms, Apple's and that of Foundation on Linux, so that both can read it.
    func instance() throws(TransformerError) -> ArchivedInstance {
        let numbers = transform.numbers
        guard numbers.allSatisfy(Self.isFloat) else {
            throw .invalidValue("an NSAffineTransform has 32-bit numbers; archive it as a CGAffineTransform")
        }
        var fields: [(name: String, value: ArchivedInstance.FieldValue)] = [
            ("NS.count", .integer(6)), ("NS.size", .integer(4)), ("NS.type", .integer(Int(UInt8(ascii: "f")))),
        ]
        fields += numbers.enumerated().map { ("$\($0)", .inline(.real($1))) }
        let list = ArchivedInstance(ArchivedClass(Self.listClass), fields: fields)
        var result: [(name: String, value: ArchivedInstance.FieldValue)] = [(Self.listField, .object(.object(list)))]
        if let bytes = Self.bytes(numbers) {
            result.append((Self.structField, .inline(.data(bytes))))
        }
        return ArchivedInstance(.known(.affineTransform), fields: result)
    }

    /// Returns the shortest form that represents the numbers.
    ///
    /// The identity has none.
    package static func bytes(_ numbers: [Double]) -> Data? {
        let isScaled = numbers[0] != 1 || numbers[3] != 1
        let isMoved = numbers[4] != 0 || numbers[5] != 0
        if numbers[1] != 0 || numbers[2] != 0 { return data([], numbers) }
        switch (isScaled, isMoved) {
        case (true, true): return data([], [numbers[0], numbers[3], numbers[4], numbers[5]])
        case (true, false): return data([2], [numbers[0], numbers[3]])
        case (false, true): return data([1], [numbers[4], numbers[5]])
        case (false, false): return nil
        }
    }

    private static func data(_ state: [UInt8], _ numbers: [Double]) -> Data {
        numbers.reduce(into: Data(state)) { data, number in
            let bits = Float(number).bitPattern
            data.append(contentsOf: [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: bits >> $0) })
        }
    }

    var plain: ArchivedValue { .reals(transform.numbers) }

    init?(plain: ArchivedValue) {
        guard let transform = plain.realNumbers.flatMap(AffineTransform.init(numbers:)) else { return nil }
        self.transform = transform
    }
}

/// The strings that represent points, sizes, and rectangles in an `NSValue`.
package enum GeometryString {
    /// The maximum length of text in bytes.
    ///
    /// Many objects can refer to the same text, which is parsed for each of them.
    static let longest = 1_000

    /// Returns the numbers of `{1, 2}` or `{{1, 2}, {3, 4}}`, or nil for any other text.
    static func numbers(_ text: String) -> [Double]? {
        guard text.utf8.count <= longest else { return nil }
        let bytes = Array(text.utf8.filter { !" \t\n\u{B}\u{C}\r".utf8.contains($0) })
        let isNested = bytes.starts(with: Array("{{".utf8))
        let inner = bytes.dropFirst(isNested ? 2 : 1).dropLast(isNested ? 2 : 1)
        let pieces = isNested ? split(inner, at: Array("},{".utf8)) : [inner]
        guard let pieces, bytes.first == UInt8(ascii: "{"), bytes.suffix(isNested ? 2 : 1).allSatisfy(isClosing) else {
            return nil
        }
        let fields = pieces.flatMap { $0.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false) }
        let numbers = fields.compactMap { Double(String(decoding: $0, as: UTF8.self)) }
        return numbers.count == fields.count && fields.count == 2 * pieces.count ? numbers : nil
    }

    private static func isClosing(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "}")
    }

    private static func split(_ bytes: ArraySlice<UInt8>, at separator: [UInt8]) -> [ArraySlice<UInt8>]? {
        let starts = bytes.indices.filter { bytes[$0...].starts(with: separator) }
        guard starts.count == 1 else { return nil }
        return [bytes[..<starts[0]], bytes[(starts[0] + separator.count)...]]
    }

    package static func pair(_ first: Double, _ second: Double) -> String {
        "{\(text(first)), \(text(second))}"
    }

    /// Formats a number with C's `%.17g`, like Apple's frameworks in an `NSValue`.
    private static func text(_ number: Double) -> String {
        String(format: "%.17g", number)
    }
}
