internal import Foundation

/// Reads numbers from bytes at offsets from their start; nil where there are none.
struct ByteReader: Sendable {
    let bytes: Data
    /// Whether the least significant byte comes first.
    var isLittleEndian = false

    init(_ bytes: Data, isLittleEndian: Bool = false) {
        self.bytes = bytes
        self.isLittleEndian = isLittleEndian
    }

    var count: Int { bytes.count }

    func uint8(_ offset: Int) -> Int? {
        guard offset >= 0, offset < bytes.count else { return nil }
        return Int(bytes[bytes.startIndex + offset])
    }

    func uint16(_ offset: Int) -> Int? {
        guard let first = uint8(offset), let second = uint8(offset + 1) else { return nil }
        return isLittleEndian ? second << 8 | first : first << 8 | second
    }

    func uint32(_ offset: Int) -> Int? {
        guard let first = uint16(offset), let second = uint16(offset + 2) else { return nil }
        return isLittleEndian ? second << 16 | first : first << 16 | second
    }

    /// The bytes from an offset; nil if there are fewer.
    func slice(_ offset: Int, _ count: Int) -> Data? {
        guard offset >= 0, count >= 0, offset <= bytes.count, count <= bytes.count - offset else { return nil }
        let start = bytes.startIndex + offset
        return bytes[start..<start + count]
    }
}

extension Data {
    mutating func appendBigEndian(_ number: UInt32) {
        append(contentsOf: [
            UInt8(truncatingIfNeeded: number >> 24), UInt8(truncatingIfNeeded: number >> 16),
            UInt8(truncatingIfNeeded: number >> 8), UInt8(truncatingIfNeeded: number),
        ])
    }

    mutating func appendBigEndian(_ number: UInt16) {
        append(contentsOf: [UInt8(truncatingIfNeeded: number >> 8), UInt8(truncatingIfNeeded: number)])
    }
}

extension String {
    /// Text of Latin-1 bytes, of which every sequence is one.
    init(latin1 bytes: Data) {
        self.init(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
    }

    /// Text of bytes that should be UTF-8 and are sometimes Latin-1.
    init(lenient bytes: Data) {
        self = String(validating: bytes, as: UTF8.self) ?? String(latin1: bytes)
    }

    /// The text as Latin-1; nil if a character is beyond it.
    var latin1: Data? {
        var bytes = Data(capacity: utf8.count)
        for scalar in unicodeScalars {
            guard let byte = UInt8(exactly: scalar.value) else { return nil }
            bytes.append(byte)
        }
        return bytes
    }
}
