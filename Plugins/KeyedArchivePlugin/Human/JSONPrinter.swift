/// Writes JSON, indented by two spaces; short lists of numbers and strings stand on one line.
struct JSONPrinter {
    private static let longestLine = 80
    private var output = ""

    static func print(_ value: JSON) -> String {
        var printer = Self()
        printer.print(value, indentation: 0)
        return printer.output
    }

    private mutating func print(_ value: JSON, indentation: Int) {
        switch value {
        case .null: output += "null"
        case .boolean(let flag): output += flag ? "true" : "false"
        case .integer(let number): output += String(number)
        case .real(let number): output += number.description
        case .string(let text): Self.quote(text, into: &output)
        case .array(let elements): print(elements, indentation: indentation)
        case .object(let members): print(members, indentation: indentation)
        }
    }

    private mutating func print(_ elements: [JSON], indentation: Int) {
        if let line = Self.line(elements) {
            output += line
            return
        }
        output += "["
        for (index, element) in elements.enumerated() {
            beginLine(index, indentation + 2)
            print(element, indentation: indentation + 2)
        }
        endLines(indentation)
        output += "]"
    }

    private mutating func print(_ members: [JSON.Member], indentation: Int) {
        guard let first = members.first else {
            output += "{}"
            return
        }
        if members.count == 1, let line = Self.scalar(first.value) ?? first.value.elements.flatMap(Self.line) {
            output += "{"
            Self.quote(first.name, into: &output)
            output += ": \(line)}"
            return
        }
        output += "{"
        for (index, member) in members.enumerated() {
            beginLine(index, indentation + 2)
            Self.quote(member.name, into: &output)
            output += ": "
            print(member.value, indentation: indentation + 2)
        }
        endLines(indentation)
        output += "}"
    }

    private mutating func beginLine(_ index: Int, _ indentation: Int) {
        output += index == 0 ? "\n" : ",\n"
        output += String(repeating: " ", count: indentation)
    }

    private mutating func endLines(_ indentation: Int) {
        output += "\n" + String(repeating: " ", count: indentation)
    }

    private static func scalar(_ value: JSON) -> String? {
        switch value {
        case .array, .object: return nil
        default: return print(value)
        }
    }

    /// Scalars on one line; nil if they are too long for one.
    private static func line(_ elements: [JSON]) -> String? {
        guard elements.count <= longestLine / 2 else { return nil }
        let texts = elements.compactMap(scalar)
        guard texts.count == elements.count else { return nil }
        let line = "[\(texts.joined(separator: ", "))]"
        return line.utf8.count <= longestLine ? line : nil
    }

    /// Writes a string; only what JSON demands is escaped (RFC 8259, section 7).
    private static func quote(_ text: String, into output: inout String) {
        output += "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": output += "\\\""
            case "\\": output += "\\\\"
            case "\n": output += "\\n"
            case "\r": output += "\\r"
            case "\t": output += "\\t"
            case "\u{0}"..<"\u{20}", "\u{7F}"..<"\u{A0}":
                let digits = String(scalar.value, radix: 16)
                output += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: output.unicodeScalars.append(scalar)
            }
        }
        output += "\""
    }
}
