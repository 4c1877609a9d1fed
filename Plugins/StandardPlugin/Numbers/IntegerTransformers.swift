public import Foundation
public import Transformable

/// A transformer that converts integers to decimal text: digits with an optional leading `-`, without leading zeros.
public struct IntegerTextTransformer<Value: FixedWidthInteger>: Transformer {
    /// Creates the transformer.
    public init() {}

    /// The traits of the transformer.
    public var traits: TransformerTraits { .plain }

    /// Returns the digits of a number.
    public func encode(_ value: Value, in context: TransformContext) -> String {
        String(value)
    }

    /// Parses a number.
    public func decode(_ encoded: String, in context: TransformContext) throws(TransformerError) -> Value {
        var scanner = NumberScanner(encoded)
        let isNegative = scanner.takeMinus()
        try scanner.takeWholeNumber()
        try scanner.expectEnd()
        guard encoded != "-0", let value = Value(encoded) else {
            let isZero = isNegative && encoded == "-0"
            throw .invalidData(
                isZero ? "zero must not have a sign" : "the number must be from \(Value.min) to \(Value.max)",
                offset: 0
            )
        }
        return value
    }
}

/// A transformer that converts integers to the bytes of a fixed-width integer.
///
/// Values can have any integer type. A number that does not fit in the stored type is an error.
public struct IntegerBytesTransformer<Value: FixedWidthInteger, Storage: FixedWidthInteger>: Transformer {
    /// The order of the bytes.
    public let order: ByteOrder

    /// Creates a transformer.
    ///
    /// - Parameter order: The order of the bytes.
    public init(order: ByteOrder = .little) {
        self.order = order
    }

    /// The traits of the transformer.
    ///
    /// It is ordered if the stored type is unsigned and the most significant byte comes first.
    public var traits: TransformerTraits {
        let isOrdered = !Storage.isSigned && (order == .big || Storage.bitWidth == 8)
        return isOrdered ? [.deterministic, .canonical, .ordered] : .plain
    }

    /// Returns the bytes of a number.
    public func encode(_ value: Value, in context: TransformContext) throws(TransformerError) -> Data {
        guard let number = Storage(exactly: value) else {
            throw .invalidValue("the number must be from \(Storage.min) to \(Storage.max)")
        }
        return Data((0..<Storage.bitWidth / 8).map { UInt8(truncatingIfNeeded: number >> shift(of: $0)) })
    }

    /// Returns the number for bytes.
    public func decode(_ encoded: Data, in context: TransformContext) throws(TransformerError) -> Value {
        let size = Storage.bitWidth / 8
        guard encoded.count == size else {
            throw .invalidData(
                "expected \(size.counted("byte")), not \(encoded.count)",
                offset: min(encoded.count, size)
            )
        }
        var number: Storage = 0
        for (index, byte) in encoded.enumerated() {
            number |= Storage(truncatingIfNeeded: byte) << shift(of: index)
        }
        guard let value = Value(exactly: number) else {
            throw .invalidData("the number must be from \(Value.min) to \(Value.max)", offset: 0)
        }
        return value
    }

    /// Returns the number of bits to shift the byte at an index by.
    private func shift(of index: Int) -> Int {
        8 * (order == .little ? index : Storage.bitWidth / 8 - 1 - index)
    }
}

/// The order of the bytes of a number.
public enum ByteOrder: String, CaseIterable, Sendable, ArgumentConvertible {
    /// The least significant byte comes first.
    case little
    /// The most significant byte comes first, as in network protocols.
    case big
}

/// Checks the text of a number against JSON's grammar (RFC 8259, section 6), in which each part has a single form.
struct NumberScanner {
    private let bytes: [UInt8]
    private(set) var position = 0

    init(_ text: String) {
        bytes = Array(text.utf8)
    }

    private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

    mutating func takeMinus() -> Bool {
        take("-")
    }

    private mutating func take(_ characters: Unicode.Scalar...) -> Bool {
        guard let next, characters.contains(Unicode.Scalar(next)) else { return false }
        position += 1
        return true
    }

    /// Consumes digits without leading zeros.
    mutating func takeWholeNumber() throws(TransformerError) {
        let start = position
        try takeDigits()
        guard bytes[start] != UInt8(ascii: "0") || position == start + 1 else {
            throw .invalidData("a number must not have leading zeros", offset: start)
        }
    }

    /// Consumes one or more digits.
    mutating func takeDigits() throws(TransformerError) {
        let start = position
        while let byte = next, (0x30...0x39).contains(byte) {
            position += 1
        }
        guard position > start else { throw .invalidData("expected a digit", offset: start) }
    }

    /// Consumes a sign, digits, a fraction, and an exponent, and returns the offset of the exponent's letter.
    mutating func takeNumber() throws(TransformerError) -> Int? {
        _ = takeMinus()
        try takeWholeNumber()
        if take(".") { try takeDigits() }
        let letter = position
        guard take("e", "E") else { return nil }
        _ = take("+", "-")
        try takeDigits()
        return letter
    }

    func expectEnd() throws(TransformerError) {
        guard position == bytes.count else {
            throw .invalidData("expected the end of the number", offset: position)
        }
    }
}
