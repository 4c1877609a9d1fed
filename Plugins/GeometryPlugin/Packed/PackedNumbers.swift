internal import Foundation
internal import Transformable

/// Words of 64 bits in a row, least significant byte first.
enum PackedNumbers {
    private static let width = MemoryLayout<UInt64>.size

    static func data(_ patterns: [UInt64]) -> Data {
        patterns.map(\.littleEndian).withUnsafeBytes { Data($0) }
    }

    /// Reads an exact number of words.
    ///
    /// - Parameters:
    ///   - count: How many there must be.
    ///   - data: The bytes.
    /// - Returns: The words.
    /// - Throws: `TransformerError` with `TransformerError.Code.invalidData` for another length.
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
