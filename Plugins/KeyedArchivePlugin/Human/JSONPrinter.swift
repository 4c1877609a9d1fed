internal import Transformable

/// Writes JSON, indented by two spaces.
///
/// Short lists of numbers and strings are written on a single line.
struct JSONPrinter {
    private static let longestLine = 80
    /// The maximum indentation, so that a deep tree does not take a quadratic amount of memory.
    private static let deepestIndentation = 60

    private let tokens: [JSONToken]
    private var position = 0
    private var output = ""
    private var depth = 0
    /// Whether a value was already written at this level, so that a comma must follow it.
    private var needsComma = false

    static func print(_ tokens: [JSONToken]) -> String {
        var printer = Self(tokens)
        while printer.position < tokens.count {
            printer.printNext()
        }
        return printer.output
    }

    private init(_ tokens: [JSONToken]) {
        self.tokens = tokens
    }

    private mutating func printNext() {
        let token = tokens[position]
        switch token {
        case .endArray, .endObject:
            depth -= 1
            if needsComma { breakLine() }
            if case .endArray = token { output += "]" } else { output += "}" }
            position += 1
            needsComma = true
        case .name(let name):
            beginElement()
            JSONString.append(name, to: &output)
            output += ": "
            position += 1
            printValue()
        default:
            if depth > 0 { beginElement() }
            printValue()
        }
    }

    private mutating func beginElement() {
        if needsComma { output += "," }
        breakLine()
    }

    private mutating func breakLine() {
        output += "\n"
        output += String(repeating: " ", count: 2 * min(depth, Self.deepestIndentation))
    }

    /// Prints a scalar or a short container, or the beginning of a long one.
    private mutating func printValue() {
        if let (line, end) = line(at: position) {
            output += line
            position = end
            needsComma = true
            return
        }
        if case .beginArray = tokens[position] { output += "[" } else { output += "{" }
        position += 1
        depth += 1
        needsComma = false
    }

    /// Returns a short scalar, list of scalars, or object with a single such member, on one line.
    private func line(at position: Int) -> (text: String, end: Int)? {
        switch tokens[position] {
        case .beginArray: listLine(at: position)
        case .beginObject: objectLine(at: position)
        case let scalar: (Self.text(scalar), position + 1)
        }
    }

    private func listLine(at position: Int) -> (text: String, end: Int)? {
        var line = "["
        var index = position + 1
        while tokens[index].isScalar {
            line += index == position + 1 ? "" : ", "
            line += Self.text(tokens[index])
            guard line.utf8.count < Self.longestLine else { return nil }
            index += 1
        }
        guard case .endArray = tokens[index] else { return nil }
        return (line + "]", index + 1)
    }

    private func objectLine(at position: Int) -> (text: String, end: Int)? {
        guard case .name(let name) = tokens[position + 1] else { return ("{}", position + 2) }
        let value: (text: String, end: Int)?
        switch tokens[position + 2] {
        case .beginArray: value = listLine(at: position + 2)
        case .beginObject: value = nil
        case let scalar: value = (Self.text(scalar), position + 3)
        }
        guard let value, case .endObject = tokens[value.end] else { return nil }
        var line = "{"
        JSONString.append(name, to: &line)
        return (line + ": \(value.text)}", value.end + 1)
    }

    private static func text(_ scalar: JSONToken) -> String {
        switch scalar {
        case .boolean(let flag): return flag ? "true" : "false"
        case .integer(let number): return String(number)
        case .real(let number): return number.description
        case .string(let text): return JSONString.literal(text)
        default: return "null"
        }
    }
}
