internal import Foundation
internal import Transformable

/// Functions that write JSON text.
enum JSONText {
    /// Returns a string literal, including its quotation marks.
    static func string(_ text: String) -> String {
        JSONString.literal(text)
    }

    /// Removes insignificant white space from a JSON text.
    ///
    /// Numbers and strings stay as they are written.
    ///
    /// - Parameter text: The text.
    /// - Returns: The text on one line, or nil if it is not JSON.
    static func minified(_ text: Data) -> String? {
        guard (try? JSONSerialization.jsonObject(with: text, options: .fragmentsAllowed)) != nil else { return nil }
        var isInString = false
        var isEscaped = false
        let bytes = text.filter { byte in
            if isEscaped {
                isEscaped = false
            } else if byte == UInt8(ascii: "\"") {
                isInString.toggle()
            } else if byte == UInt8(ascii: "\\") {
                isEscaped = true
            }
            return isInString || ![0x20, 0x09, 0x0A, 0x0D].contains(byte)
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
