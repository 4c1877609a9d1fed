extension String {
    /// The text with control characters escaped, except newlines and tabs, so that any terminal can show it.
    var escapingControls: String {
        escapingControls(except: ["\n", "\t"])
    }

    /// The text on one line, so that any terminal can show it.
    package var onOneLine: String {
        escapingControls(except: [])
    }

    private func escapingControls(except allowed: Set<UnicodeScalar>) -> String {
        guard unicodeScalars.contains(where: { $0.isUnfit && !allowed.contains($0) }) else { return self }
        var result = ""
        for scalar in unicodeScalars {
            if scalar.isUnfit, !allowed.contains(scalar) {
                result += scalar.escape
            } else {
                result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}

extension UnicodeScalar {
    /// Whether the character controls the terminal or changes the text direction.
    fileprivate var isUnfit: Bool {
        switch properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: true
        default: properties.isBidiControl
        }
    }

    fileprivate var escape: String {
        switch self {
        case "\n": "\\n"
        case "\t": "\\t"
        case "\r": "\\r"
        default: "\\u{\(String(value, radix: 16))}"
        }
    }
}
