public import Foundation
public import Transformable

/// A transformer that stores the numbers of a geometry value as 8-byte doubles, in little-endian order (IEEE 754
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

/// The stored form of a geometry value.
public enum GeometryForm: String, CaseIterable, Sendable, ArgumentConvertible {
    /// Text in braces.
    case text
    /// 8-byte numbers, in little-endian order.
    case packed
}

/// A sequence of 64-bit words in little-endian order.
enum PackedNumbers {
    private static let width = MemoryLayout<UInt64>.size

    static func data(_ patterns: [UInt64]) -> Data {
        patterns.map(\.littleEndian).withUnsafeBytes { Data($0) }
    }

    /// Reads a fixed number of words.
    ///
    /// - Parameters:
    ///   - count: The number of words.
    ///   - data: The bytes.
    /// - Returns: The words.
    /// - Throws: `TransformerError` with the code `TransformerError.Code.invalidData` if there is a different number of
    ///   bytes.
    static func patterns(_ count: Int, in data: Data) throws(TransformerError) -> [UInt64] {
        guard data.count == count * width else {
            let message = "expected \((count * width).counted("byte")), not \(data.count)"
            throw .invalidData(message, offset: min(data.count, count * width))
        }
        return data.withUnsafeBytes { bytes in
            (0..<count)
                .map { index in
                    UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: index * width, as: UInt64.self))
                }
        }
    }
}
