public import Foundation
public import Transformable

/// A transformer that converts a range to its location and length in braces, as in `{2, 5}`.
///
/// The text is the same as that of Apple's `NSStringFromRange`. Spaces between the parts are ignored when it is parsed.
public struct RangeTransformer<Value: IntegerRange>: Transformer {
    /// Creates a transformer.
    public init() {}

    /// The traits of the transformer.
    ///
    /// Equal ranges have equal text.
    public var traits: TransformerTraits { .plain }

    /// Encodes a range as text.
    public func encode(_ value: Value, in context: TransformContext) throws(TransformerError) -> String {
        let (location, length) = try value.validParts()
        return "{\(location), \(length)}"
    }

    /// Parses a range.
    public func decode(_ encoded: String, in context: TransformContext) throws(TransformerError) -> Value {
        let (location, length) = try RangeText.parts(of: encoded)
        return Value(location: location, length: length)
    }
}

/// A transformer that stores the location and the length of a range as signed 8-byte integers, in little-endian order.
public struct PackedRangeTransformer<Value: IntegerRange>: Transformer {
    /// Creates a transformer.
    public init() {}

    /// The traits of the transformer.
    ///
    /// Equal ranges have equal bytes.
    public var traits: TransformerTraits { .plain }

    /// Encodes a range as 16 bytes.
    public func encode(_ value: Value, in context: TransformContext) throws(TransformerError) -> Data {
        let (location, length) = try value.validParts()
        return PackedNumbers.data([location, length].map { UInt64(bitPattern: Int64($0)) })
    }

    /// Decodes a range from 16 bytes.
    public func decode(_ encoded: Data, in context: TransformContext) throws(TransformerError) -> Value {
        let parts = try PackedNumbers.patterns(2, in: encoded).map { Int(Int64(bitPattern: $0)) }
        if let fault = rangeFault(location: parts[0], length: parts[1]) {
            throw .invalidData(fault, offset: 8)
        }
        return Value(location: parts[0], length: parts[1])
    }
}

/// Parses ranges from text.
private enum RangeText {
    private static let layout = GeometryLayout(["location", "length"])

    static func parts(of range: String) throws(TransformerError) -> (location: Int, length: Int) {
        let text = range.utf8.span
        var scanner = TextScanner(layout)
        try scanner.demand(.openBrace, text)
        let location = try scanner.integer(text)
        try scanner.demand(.comma, text)
        scanner.skipSpaces(text)
        let start = scanner.offset
        let length = try scanner.integer(text)
        if let fault = rangeFault(location: location, length: length) {
            throw scanner.failure(fault, at: start)
        }
        try scanner.demand(.closeBrace, text)
        try scanner.demandEnd(text)
        return (location, length)
    }
}

/// A range of integers, given by its start and its length.
///
/// `NSRange` and `Range<Int>` conform to this protocol. The length must not be negative, and the end must fit in 64
/// bits.
public protocol IntegerRange: Sendable {
    /// The start and the length of the range, or nil if they do not fit in 64 bits.
    var locationAndLength: (location: Int, length: Int)? { get }

    /// Creates a range.
    ///
    /// - Parameters:
    ///   - location: The start of the range.
    ///   - length: The number of elements, which is not negative. The sum of both fits in 64 bits.
    init(location: Int, length: Int)
}

extension NSRange: IntegerRange {
    /// The location and the length of the range.
    public var locationAndLength: (location: Int, length: Int)? { (location, length) }
}

extension Range<Int>: IntegerRange {
    /// The lower bound, and the distance to the upper bound.
    public var locationAndLength: (location: Int, length: Int)? {
        let (length, overflows) = upperBound.subtractingReportingOverflow(lowerBound)
        return overflows ? nil : (lowerBound, length)
    }

    /// Creates a range from its lower bound and its length.
    public init(location: Int, length: Int) {
        self = location..<(location + length)
    }
}

extension IntegerRange {
    /// Returns the location and the length if they form a valid range.
    func validParts() throws(TransformerError) -> (location: Int, length: Int) {
        guard let (location, length) = locationAndLength else {
            throw .invalidValue("the length of the range does not fit in 64 bits")
        }
        if let reason = rangeFault(location: location, length: length) {
            throw .invalidValue(reason)
        }
        return (location, length)
    }
}

/// Returns the reason why two numbers do not form a range, or nil if they do.
private func rangeFault(location: Int, length: Int) -> String? {
    if length < 0 {
        "the length of a range must not be negative"
    } else if location.addingReportingOverflow(length).overflow {
        "the end of the range does not fit in 64 bits"
    } else {
        nil
    }
}
