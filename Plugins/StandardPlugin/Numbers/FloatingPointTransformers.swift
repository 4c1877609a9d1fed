public import Foundation
public import Transformable

/// A transformer that converts numbers to the shortest decimal text that represents them exactly: `0.1`, `5e-324`,
/// `-0.0`.
///
/// It parses any number in JSON's grammar. NaN and infinities have no such text and are errors, as are numbers that are
/// out of range for a double: those that would become infinite, and those other than zero that would become zero.
public struct DoubleTextTransformer: Transformer {
    /// Creates the transformer.
    public init() {}

    /// The traits of the transformer.
    ///
    /// It is not canonical, because 0 and −0 are equal, but keep their text.
    public var traits: TransformerTraits { .deterministic }

    /// Returns the text of a number.
    public func encode(_ value: Double, in context: TransformContext) throws(TransformerError) -> String {
        guard value.isFinite else { throw .invalidValue("\(value) cannot be written as decimal text") }
        return value.description
    }

    /// Parses a number.
    public func decode(_ encoded: String, in context: TransformContext) throws(TransformerError) -> Double {
        var scanner = NumberScanner(encoded)
        _ = try scanner.takeNumber()
        try scanner.expectEnd()
        guard let value = RealText.number(encoded, as: Double.self) else {
            throw .invalidData("the number is out of range for a double", offset: 0)
        }
        return value
    }
}

/// A transformer that converts numbers to the shortest decimal text that represents them exactly: `0.1`, `1e-45`,
/// `-0.0`.
///
/// It parses any number in JSON's grammar. NaN and infinities are errors, as are numbers that are out of range for a
/// float: those that would become infinite, and those other than zero that would become zero.
public struct FloatTextTransformer: Transformer {
    /// Creates the transformer.
    public init() {}

    /// The traits of the transformer.
    ///
    /// It is not canonical, because 0 and −0 are equal, but keep their text.
    public var traits: TransformerTraits { .deterministic }

    /// Returns the text of a number.
    public func encode(_ value: Float, in context: TransformContext) throws(TransformerError) -> String {
        guard value.isFinite else { throw .invalidValue("\(value) cannot be written as decimal text") }
        return value.description
    }

    /// Parses a number.
    public func decode(_ encoded: String, in context: TransformContext) throws(TransformerError) -> Float {
        var scanner = NumberScanner(encoded)
        _ = try scanner.takeNumber()
        try scanner.expectEnd()
        guard let value = RealText.number(encoded, as: Float.self) else {
            throw .invalidData("the number is out of range for a float", offset: 0)
        }
        return value
    }
}

/// A transformer that converts numbers to the 8 bytes of a double (IEEE 754 binary64), including the exact bits of NaNs
/// and −0.
public struct DoubleBytesTransformer: Transformer {
    private let bits: IntegerBytesTransformer<UInt64, UInt64>

    /// Creates a transformer.
    ///
    /// - Parameter order: The order of the bytes.
    public init(order: ByteOrder = .little) {
        bits = IntegerBytesTransformer(order: order)
    }

    /// The traits of the transformer.
    ///
    /// It is not canonical: 0 and −0 are equal, but are encoded as different bytes.
    public var traits: TransformerTraits { .deterministic }

    /// Returns the bytes of a number.
    public func encode(_ value: Double, in context: TransformContext) throws(TransformerError) -> Data {
        try bits.encode(value.bitPattern, in: context)
    }

    /// Returns the number for bytes.
    public func decode(_ encoded: Data, in context: TransformContext) throws(TransformerError) -> Double {
        Double(bitPattern: try bits.decode(encoded, in: context))
    }
}

/// A transformer that converts numbers to the 4 bytes of a float (IEEE 754 binary32), including the exact bits of NaNs
/// and −0.
public struct FloatBytesTransformer: Transformer {
    private let bits: IntegerBytesTransformer<UInt32, UInt32>

    /// Creates a transformer.
    ///
    /// - Parameter order: The order of the bytes.
    public init(order: ByteOrder = .little) {
        bits = IntegerBytesTransformer(order: order)
    }

    /// The traits of the transformer.
    ///
    /// It is not canonical: 0 and −0 are equal, but are encoded as different bytes.
    public var traits: TransformerTraits { .deterministic }

    /// Returns the bytes of a number.
    public func encode(_ value: Float, in context: TransformContext) throws(TransformerError) -> Data {
        try bits.encode(value.bitPattern, in: context)
    }

    /// Returns the number for bytes.
    public func decode(_ encoded: Data, in context: TransformContext) throws(TransformerError) -> Float {
        Float(bitPattern: try bits.decode(encoded, in: context))
    }
}

/// A transformer that converts a `Decimal` to its exact text, such as `-12.5`, without an exponent or leading or
/// trailing zeros.
///
/// It parses any number in JSON's grammar that a `Decimal` can represent exactly: up to 38 significant digits, or 39 if
/// they do not exceed 2¹²⁸ − 1, and exponents from −128 to 127. NaN is an error.
public struct DecimalTransformer: Transformer {
    /// Creates the transformer.
    public init() {}

    /// The traits of the transformer.
    public var traits: TransformerTraits { .plain }

    /// Returns the text of a number.
    public func encode(_ value: Decimal, in context: TransformContext) throws(TransformerError) -> String {
        guard value.isFinite else { throw .invalidValue("NaN cannot be written as decimal text") }
        return DecimalText.text(of: value)
    }

    /// Parses a number.
    public func decode(_ encoded: String, in context: TransformContext) throws(TransformerError) -> Decimal {
        var scanner = NumberScanner(encoded)
        _ = try scanner.takeNumber()
        try scanner.expectEnd()
        return try DecimalText.decimal(encoded)
    }
}
