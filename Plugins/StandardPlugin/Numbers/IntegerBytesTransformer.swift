public import Foundation
public import Transformable

/// A transformer that converts integers to the bytes of a fixed-width integer.
///
/// Values can have any integer type. A number that does not fit in the stored type is an error.
public struct IntegerBytesTransformer<Value: FixedWidthInteger, Storage: FixedWidthInteger>: Transformer {
    /// The order of the bytes.
    public let order: ByteOrder

    /// Creates a transformer.
    ///
    /// - Parameter order: The order of the bytes.
    public init(order: ByteOrder = .little) {
        self.order = order
    }

    /// The traits of the transformer.
    ///
    /// It is ordered if the stored type is unsigned and the most significant byte comes first.
    public var traits: TransformerTraits {
        let isOrdered = !Storage.isSigned && (order == .big || Storage.bitWidth == 8)
        return isOrdered ? [.deterministic, .canonical, .ordered] : .plain
    }

    /// Returns the bytes of a number.
    public func encode(_ value: Value, in context: TransformContext) throws(TransformerError) -> Data {
        guard let number = Storage(exactly: value) else {
            throw .invalidValue("the number must be from \(Storage.min) to \(Storage.max)")
        }
        return Data((0..<Storage.bitWidth / 8).map { UInt8(truncatingIfNeeded: number >> shift(of: $0)) })
    }

    /// Returns the number for bytes.
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
            throw .invalidData("the number must be from \(Value.min) to \(Value.max)", offset: 0)
        }
        return value
    }

    /// Returns the number of bits to shift the byte at an index by.
    private func shift(of index: Int) -> Int {
        8 * (order == .little ? index : Storage.bitWidth / 8 - 1 - index)
    }
}

/// The order of the bytes of a number.
public enum ByteOrder: String, CaseIterable, Sendable, ArgumentConvertible {
    /// The least significant byte comes first.
    case little
    /// The most significant byte comes first, as in network protocols.
    case big
}
