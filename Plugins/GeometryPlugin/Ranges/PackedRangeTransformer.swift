public import Foundation
public import Transformable

/// A transformer that stores the location and the length of a range as signed integers of 8 bytes, in little-endian
/// order.
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
