public import Foundation
public import Transformable

/// A range as two signed integers of 8 bytes, least significant first: its location, then its length.
public struct PackedRangeTransformer<Value: IntegerRange>: Transformer {
    /// Makes a transformer to packed bytes.
    public init() {}

    /// Equal ranges have equal bytes.
    public var traits: TransformerTraits { .plain }

    /// Sixteen bytes.
    public func encode(_ value: Value, in context: TransformContext) throws(TransformerError) -> Data {
        let (location, length) = try value.validParts()
        return PackedNumbers.data([location, length].map { UInt64(bitPattern: Int64($0)) })
    }

    /// The range of sixteen bytes.
    public func decode(_ encoded: Data, in context: TransformContext) throws(TransformerError) -> Value {
        let parts = try PackedNumbers.patterns(2, in: encoded).map { Int(Int64(bitPattern: $0)) }
        if let fault = rangeFault(location: parts[0], length: parts[1]) {
            throw .invalidData(fault, offset: 8)
        }
        return Value(location: parts[0], length: parts[1])
    }
}
