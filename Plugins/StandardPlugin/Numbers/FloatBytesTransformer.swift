public import Foundation
public import Transformable

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
    /// It is not canonical, because 0 and −0 are equal, but keep their bytes.
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
