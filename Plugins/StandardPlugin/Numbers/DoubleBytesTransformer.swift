public import Foundation
public import Transformable

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
    /// It is not canonical, because 0 and −0 are equal, but keep their bytes.
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
