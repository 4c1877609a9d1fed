public import Foundation
public import Transformable

/// A whole number as the bytes of a fixed-width integer.
///
/// Any integer type may be given; a number that the stored type does not hold is an error.
public struct IntegerBytesTransformer<Value: FixedWidthInteger, Storage: FixedWidthInteger>: Transformer {
    /// Which byte comes first.
    public let order: ByteOrder

    /// Makes a transformer of whole numbers.
    ///
    /// - Parameter order: Which byte comes first.
    public init(order: ByteOrder = .little) {
        self.order = order
    }

    /// Ordered if the bytes compare as the numbers do: unsigned, and the highest byte first.
    public var traits: TransformerTraits {
        let isOrdered = !Storage.isSigned && (order == .big || Storage.bitWidth == 8)
        return isOrdered ? [.deterministic, .canonical, .ordered] : .plain
    }

    /// The number's bytes.
    public func encode(_ value: Value, in context: TransformContext) throws(TransformerError) -> Data {
        guard let number = Storage(exactly: value) else {
            throw .invalidValue("the number is not from \(Storage.min) to \(Storage.max)")
        }
        return Data((0..<Storage.bitWidth / 8).map { UInt8(truncatingIfNeeded: number >> shift(of: $0)) })
    }

    /// The bytes' number.
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
            throw .invalidData("the number is not from \(Value.min) to \(Value.max)", offset: 0)
        }
        return value
    }

    /// By how many bits the byte at an index is shifted.
    private func shift(of index: Int) -> Int {
        8 * (order == .little ? index : Storage.bitWidth / 8 - 1 - index)
    }
}
