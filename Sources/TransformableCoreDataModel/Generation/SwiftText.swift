/// Pieces of Swift code.
enum SwiftText {
    /// Words that can be names of members only in backquotes.
    private static let reserved: Set<String> = [
        "Any", "Protocol", "Self", "Type", "actor", "as", "associatedtype", "await", "break", "case", "catch", "class",
        "continue", "default", "defer", "deinit", "do", "else", "enum", "extension", "fallthrough", "false",
        "fileprivate", "for", "func", "guard", "if", "import", "in", "init", "inout", "internal", "is", "let", "nil",
        "open", "operator", "precedencegroup", "private", "protocol", "public", "repeat", "rethrows", "return", "self",
        "static", "struct", "subscript", "super", "switch", "throw", "throws", "true", "try", "typealias", "var",
        "where", "while",
    ]

    /// Returns a name as Swift code, in backquotes if it is a reserved word.
    static func identifier(_ name: String) -> String {
        reserved.contains(name) ? "`\(name)`" : name
    }

    /// Whether Swift code can use a string as the name of a type.
    static func isTypeName(_ text: String) -> Bool {
        guard let first = text.unicodeScalars.first, first.properties.isXIDStart, !reserved.contains(text) else {
            return false
        }
        return text.unicodeScalars.allSatisfy(\.properties.isXIDContinue)
    }

    /// Returns a name for a type: the words of a string, each with a capital.
    static func typeName(_ text: String) -> String {
        let words = text.unicodeScalars.split { !$0.properties.isXIDContinue || $0 == "_" }
        let name =
            words.map { word in
                let word = String(String.UnicodeScalarView(word))
                return word.prefix(1).uppercased() + word.dropFirst()
            }
            .joined()
        guard let first = name.unicodeScalars.first else { return "Model" }
        return first.properties.isXIDStart ? name : "Model\(name)"
    }

    /// Returns a string on one line, without characters that could end a comment or change how it is displayed.
    static func plain(_ text: String) -> String {
        String(String.UnicodeScalarView(text.unicodeScalars.map { isInvisible($0) ? "�" : $0 }))
    }

    /// Returns a string literal.
    static func literal(_ text: String) -> String {
        let body = text.unicodeScalars.map { scalar in
            switch scalar {
            case "\\": "\\\\"
            case "\"": "\\\""
            case "\n": "\\n"
            case "\r": "\\r"
            case "\t": "\\t"
            default: isInvisible(scalar) ? "\\u{\(String(scalar.value, radix: 16))}" : String(scalar)
            }
        }
        return "\"\(body.joined())\""
    }

    /// Returns a number as a literal, or as a constant if it is infinite.
    static func literal(_ number: Double) -> String {
        if number.isInfinite { return number < 0 ? "-.infinity" : ".infinity" }
        return Int64(exactly: number).map { "\($0)" } ?? "\(number)"
    }

    /// Returns the text of a list in parentheses, or an empty string if the list is empty.
    static func parenthesized(_ list: [String]) -> String {
        list.isEmpty ? "" : "(\(list.joined(separator: ", ")))"
    }

    private static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned: true
        default: false
        }
    }
}
