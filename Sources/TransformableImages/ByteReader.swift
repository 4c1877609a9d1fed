package import Foundation

/// Reads numbers at offsets from the start of bytes, or returns nil if there are too few bytes.
package struct ByteReader: Sendable {
    package let bytes: Data
    /// Whether the least significant byte comes first.
    package var isLittleEndian = false

    package init(_ bytes: Data, isLittleEndian: Bool = false) {
        self.bytes = bytes
        self.isLittleEndian = isLittleEndian
    }

    package var count: Int { bytes.count }

    package func uint8(_ offset: Int) -> Int? {
        guard offset >= 0, offset < bytes.count else { return nil }
        return Int(bytes[bytes.startIndex + offset])
    }

    package func uint16(_ offset: Int) -> Int? {
        guard let first = uint8(offset), let second = uint8(offset + 1) else { return nil }
        return isLittleEndian ? second << 8 | first : first << 8 | second
    }

    package func uint32(_ offset: Int) -> Int? {
        guard let first = uint16(offset), let second = uint16(offset + 2) else { return nil }
        return isLittleEndian ? second << 16 | first : first << 16 | second
    }

    /// Returns a number of eight bytes, or nil if there are too few or it is too large for `Int`.
    package func uint64(_ offset: Int) -> Int? {
        guard let first = uint32(offset), let second = uint32(offset + 4) else { return nil }
        let (high, low) = isLittleEndian ? (second, first) : (first, second)
        return high < 1 << 31 ? high << 32 | low : nil
    }

    /// Returns the bytes at an offset, or nil if there are too few.
    package func slice(_ offset: Int, _ count: Int) -> Data? {
        guard offset >= 0, count >= 0, offset <= bytes.count, count <= bytes.count - offset else { return nil }
        let start = bytes.startIndex + offset
        return bytes[start..<start + count]
    }
}

extension Data {
    package mutating func appendBigEndian(_ number: UInt32) {
        append(contentsOf: [
            UInt8(truncatingIfNeeded: number >> 24), UInt8(truncatingIfNeeded: number >> 16),
            UInt8(truncatingIfNeeded: number >> 8), UInt8(truncatingIfNeeded: number),
        ])
    }

    package mutating func appendBigEndian(_ number: UInt16) {
        append(contentsOf: [UInt8(truncatingIfNeeded: number >> 8), UInt8(truncatingIfNeeded: number)])
    }
}

extension Data {
    /// The bytes of a text without NULs at its end, which C programs often write and which are not part of the text.
    package var withoutTrailingNULs: Data {
        guard let last = lastIndex(where: { $0 != 0 }) else { return Data() }
        return self[...last]
    }
}

extension String {
    /// Creates a string from Latin-1 bytes, all of which are valid.
    package init(latin1 bytes: Data) {
        self.init(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
    }

    /// Creates a string from bytes that should be UTF-8, but are sometimes Latin-1.
    package init(lenient bytes: Data) {
        self = String(validating: bytes, as: UTF8.self) ?? String(latin1: bytes)
    }

    /// The text in Latin-1, or nil if it contains other characters.
    package var latin1: Data? {
        var bytes = Data(capacity: utf8.count)
        for scalar in unicodeScalars {
            guard let byte = UInt8(exactly: scalar.value) else { return nil }
            bytes.append(byte)
        }
        return bytes
    }
}
