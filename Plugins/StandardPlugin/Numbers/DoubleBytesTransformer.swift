public import Foundation
public import Transformable

/// A number as the 8 bytes of a double (IEEE 754 binary64), bit for bit: NaNs and −0 too.
public struct DoubleBytesTransformer: Transformer {
    private let bits: IntegerBytesTransformer<UInt64, UInt64>

    /// Makes a transformer of doubles.
    ///
    /// - Parameter order: Which byte comes first.
    public init(order: ByteOrder = .little) {
        bits = IntegerBytesTransformer(order: order)
    }

    /// Not canonical: 0 and −0 are equal, and each keeps its bytes.
    public var traits: TransformerTraits { .deterministic }

    /// The number's bytes.
    public func encode(_ value: Double, in context: TransformContext) throws(TransformerError) -> Data {
        try bits.encode(value.bitPattern, in: context)
    }

    /// The bytes' number.
    public func decode(_ encoded: Data, in context: TransformContext) throws(TransformerError) -> Double {
        Double(bitPattern: try bits.decode(encoded, in: context))
    }
}
