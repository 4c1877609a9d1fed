internal import Foundation
internal import Transformable

/// Words of 64 bits in a row, least significant byte first.
enum PackedNumbers {
    private static let width = 8

    static func data(_ patterns: [UInt64]) -> Data {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(patterns.count * width)
        for pattern in patterns {
            for shift in stride(from: 0, to: UInt64.bitWidth, by: 8) {
                bytes.append(UInt8(truncatingIfNeeded: pattern >> UInt64(shift)))
            }
        }
        return Data(bytes)
    }

    /// Reads an exact number of words.
    ///
    /// - Parameters:
    ///   - count: How many there must be.
    ///   - data: The bytes.
    /// - Returns: The words.
    /// - Throws: ``TransformerError`` with ``TransformerError/Code/invalidData`` for another length.
    static func patterns(_ count: Int, in data: Data) throws(TransformerError) -> [UInt64] {
        guard data.count == count * width else {
            let message = "\(count * width) bytes are expected, not \(data.count)"
            throw .invalidData(message, offset: min(data.count, count * width))
        }
        let bytes = data.span
        return (0..<count)
            .map { index in
                (0..<width).reversed().reduce(0) { $0 << 8 | UInt64(bytes[index * width + $1]) }
            }
    }
}
