internal import Foundation

/// Functions that write JSON text.
enum JSONText {
    /// Returns a string literal, including its quotation marks.
    static func string(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\r": result += "\\r"
            case "\t": result += "\\t"
            case "\u{0}"..."\u{1F}", "\u{7F}"..."\u{9F}":
                let digits = String(scalar.value, radix: 16)
                result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
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
