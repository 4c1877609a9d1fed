public import Foundation
public import Transformable

/// A number as the 4 bytes of a float (IEEE 754 binary32), bit for bit: NaNs and −0 too.
public struct FloatBytesTransformer: Transformer {
    private let bits: IntegerBytesTransformer<UInt32, UInt32>

    /// Makes a transformer of floats.
    ///
    /// - Parameter order: Which byte comes first.
    public init(order: ByteOrder = .little) {
        bits = IntegerBytesTransformer(order: order)
    }

    /// Not canonical: 0 and −0 are equal, and each keeps its bytes.
    public var traits: TransformerTraits { .deterministic }

    /// The number's bytes.
    public func encode(_ value: Float, in context: TransformContext) throws(TransformerError) -> Data {
        try bits.encode(value.bitPattern, in: context)
    }

    /// The bytes' number.
    public func decode(_ encoded: Data, in context: TransformContext) throws(TransformerError) -> Float {
        Float(bitPattern: try bits.decode(encoded, in: context))
    }
}
