/// JSON string literals (RFC 8259, section 7).
package enum JSONString {
    /// Returns a string literal, including its quotation marks.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - isTerminalSafe: Whether to escape U+007F to U+009F as well, which JSON allows but terminals may obey.
    /// - Returns: The literal.
    package static func literal(_ text: String, isTerminalSafe: Bool = true) -> String {
        var output = ""
        append(text, to: &output, isTerminalSafe: isTerminalSafe)
        return output
    }

    /// Appends a string literal to a text.
    ///
    /// - Parameters:
    ///   - text: The text of the literal.
    ///   - output: The text to append to.
    ///   - isTerminalSafe: Whether to escape U+007F to U+009F as well, which JSON allows but terminals may obey.
    package static func append(_ text: String, to output: inout String, isTerminalSafe: Bool = true) {
        output += "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": output += "\\\""
            case "\\": output += "\\\\"
            case "\n": output += "\\n"
            case "\r": output += "\\r"
            case "\t": output += "\\t"
            case "\u{0}"..<"\u{20}": escape(scalar, into: &output)
            case "\u{7F}"..<"\u{A0}" where isTerminalSafe: escape(scalar, into: &output)
            default: output.unicodeScalars.append(scalar)
            }
        }
        output += "\""
    }

    private static func escape(_ scalar: Unicode.Scalar, into output: inout String) {
        output += "\\u00" + HexadecimalText.text(of: [UInt8(truncatingIfNeeded: scalar.value)])
    }
}
