public import Foundation
public import Transformable

/// A transformer that stores the numbers of a geometry value as doubles of 8 bytes, in little-endian order (IEEE 754
/// binary64).
///
/// A rectangle takes 32 bytes. Every bit pattern of the right length is valid.
public struct PackedGeometryTransformer<Value: GeometryValue>: Transformer {
    /// Creates a transformer.
    public init() {}

    /// The traits of the transformer.
    ///
    /// It is not canonical, because 0 and -0 are equal but have different bytes.
    public var traits: TransformerTraits { [.deterministic] }

    /// Encodes a value.
    public func encode(_ value: Value, in context: TransformContext) -> Data {
        PackedNumbers.data(value.numbers.map(\.bitPattern))
    }

    /// Decodes a value.
    public func decode(_ encoded: Data, in context: TransformContext) throws(TransformerError) -> Value {
        let patterns = try PackedNumbers.patterns(Value.layout.count, in: encoded)
        return Value(numbers: patterns.map(Double.init(bitPattern:)))
    }
}
