internal import Foundation

extension EncodedNotation {
    /// Returns bytes as text.
    ///
    /// - Parameter bytes: The bytes.
    /// - Returns: The text, on one line.
    func text(of bytes: Data) -> Data {
        switch self {
        case .base64: bytes.base64EncodedData()
        case .hex: Data(bytes.flatMap { [Self.digit($0 >> 4), Self.digit($0 & 15)] })
        }
    }

    /// Parses bytes from text.
    ///
    /// White space is ignored.
    ///
    /// - Parameter text: The text.
    /// - Returns: The bytes.
    /// - Throws: ``CommandError`` with the code ``CommandError/Code/badInput`` if the text is malformed.
    func bytes(of text: Data) throws(CommandError) -> Data {
        let digits = text.filter { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
        switch self {
        case .base64:
            guard let bytes = Data(base64Encoded: digits) else {
                throw CommandError(.badInput, "the encoded bytes are not valid base64, which --base64 requires")
            }
            return bytes
        case .hex:
            return try Self.bytes(ofHex: digits)
        }
    }

    private static func bytes(ofHex digits: Data) throws(CommandError) -> Data {
        let values = digits.compactMap(value)
        guard values.count == digits.count, values.count.isMultiple(of: 2) else {
            throw CommandError(.badInput, "the encoded bytes are not pairs of hexadecimal digits, which --hex requires")
        }
        return Data(stride(from: 0, to: values.count, by: 2).map { values[$0] << 4 | values[$0 + 1] })
    }

    private static func value(ofDigit digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
        case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
        default: nil
        }
    }

    private static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
    }
}
