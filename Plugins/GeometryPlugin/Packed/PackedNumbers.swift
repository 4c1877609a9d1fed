internal import Foundation
internal import Transformable

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
