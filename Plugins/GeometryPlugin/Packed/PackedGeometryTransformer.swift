public import Foundation
public import Transformable

/// A geometry value as its doubles in a row, each 8 bytes, least significant first (IEEE 754 binary64).
///
/// A rect takes 32 bytes. Every bit pattern is a value, and only the exact length is read.
public struct PackedGeometryTransformer<Value: GeometryValue>: Transformer {
    /// Makes a transformer to packed bytes.
    public init() {}

    /// Repeats itself, and is not canonical: 0 and -0 are equal and their bytes differ.
    public var traits: TransformerTraits { [.deterministic] }

    /// The numbers' bytes.
    public func encode(_ value: Value, in context: TransformContext) -> Data {
        PackedNumbers.data(value.numbers.map(\.bitPattern))
    }

    /// The value of the numbers' bytes.
    public func decode(_ encoded: Data, in context: TransformContext) throws(TransformerError) -> Value {
        let patterns = try PackedNumbers.patterns(Value.layout.count, in: encoded)
        return Value(numbers: patterns.map(Double.init(bitPattern:)))
    }
}
