internal import Foundation
internal import Transformable

extension EncodedNotation {
    /// Returns bytes as text.
    ///
    /// - Parameter bytes: The bytes.
    /// - Returns: The text, on one line.
    func text(of bytes: Data) -> Data {
        switch self {
        case .base64: bytes.base64EncodedData()
        case .hex: Data(HexadecimalText.text(of: bytes).utf8)
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
        switch self {
        case .base64:
            guard let bytes = Base64Text.bytes(of: text) else {
                throw CommandError(.badInput, "the encoded bytes are not valid base64, which --base64 requires")
            }
            return bytes
        case .hex:
            guard let bytes = HexadecimalText.bytes(of: text.lazy.filter({ !Self.isSpace($0) })) else {
                let fault = "the encoded bytes are not pairs of hexadecimal digits, which --hex requires"
                throw CommandError(.badInput, fault)
            }
            return Data(bytes)
        }
    }

    private static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D
    }
}
