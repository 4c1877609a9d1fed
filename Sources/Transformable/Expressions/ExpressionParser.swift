/// A recursive descent parser for expressions.
struct ExpressionParser {
    private var scanner: ExpressionScanner
    private let allowsVersions: Bool
    private var stageCount = 0

    /// Creates a parser.
    ///
    /// Signatures, unlike expressions, allow versions after names, as in `jpeg/1`.
    init(_ text: String, allowsVersions: Bool) {
        scanner = ExpressionScanner(text)
        self.allowsVersions = allowsVersions
        count = text.utf8.count
        limit = allowsVersions ? .signature : .expression
    }

    private let count: Int
    private let limit: TransformerExpression.Limit
    /// The number of bytes in numbers, except for one byte each.
    private var digitCount = 0

    mutating func parse() throws(TransformerError) -> TransformerExpression {
        guard count <= TransformerExpression.Limit.signature.bytes else { throw tooLong }
        let expression = try parseExpression(level: 1)
        scanner.skipSpaces()
        guard scanner.isAtEnd else { throw failure("expected “|” or the end of the expression") }
        // The canonical form of an expression differs from it in spaces and in how numbers are written.
        guard count - scanner.spaceCount - digitCount <= limit.bytes else { throw tooLong }
        return expression
    }

    private var tooLong: TransformerError {
        failure("the expression is longer than \(limit.bytes) bytes", at: limit.bytes)
    }

    private mutating func parseExpression(level: Int) throws(TransformerError) -> TransformerExpression {
        try checkLevel(level)
        var stages = [try parseStage(level: level)]
        while scanner.take("|") {
            stages.append(try parseStage(level: level))
        }
        return TransformerExpression(stages: stages)
    }

    private mutating func parseStage(level: Int) throws(TransformerError) -> TransformerExpression.Stage {
        scanner.skipSpaces()
        guard let name = scanner.scanName() else { throw failure("expected the name of a transformer") }
        stageCount += 1
        guard stageCount <= limit.stages else {
            throw failure("the expression has more than \(limit.stages) stages")
        }
        let version = try parseVersion()
        let arguments = try parseArguments(of: name, level: level)
        return TransformerExpression.Stage(TransformerName(rawValue: name), version: version, arguments: arguments)
    }

    private mutating func parseVersion() throws(TransformerError) -> Int? {
        guard allowsVersions, scanner.take("/") else { return nil }
        guard let version = Int(scanner.scanDigits()) else { throw failure("expected a version after “/”") }
        return version
    }

    private mutating func parseArguments(
        of name: String,
        level: Int
    ) throws(TransformerError) -> [TransformerExpression.Argument] {
        guard scanner.take("("), !scanner.take(")") else { return [] }
        var arguments: [TransformerExpression.Argument] = []
        var labels: Set<String> = []
        repeat {
            scanner.skipSpaces()
            let start = scanner.position
            guard let label = scanner.scanLabel(), scanner.take(":") else {
                throw failure("expected an argument of “\(name)” in the form label: value")
            }
            guard labels.insert(label).inserted else {
                throw failure("the argument “\(label)” of “\(name)” is given twice", at: start)
            }
            arguments.append(TransformerExpression.Argument(label, try parseValue(level: level)))
        } while scanner.take(",")
        guard scanner.take(")") else { throw failure("expected “,” or “)” in the arguments of “\(name)”") }
        return arguments
    }

    private mutating func parseValue(level: Int) throws(TransformerError) -> ArgumentValue {
        if scanner.take("(") {
            let expression = try parseExpression(level: level + 1)
            guard scanner.take(")") else { throw failure("expected “)” after the expression") }
            return .expression(expression)
        }
        if scanner.take("[") { return .list(try parseList(level: level + 1)) }
        if scanner.take("\"") { return .string(try parseString()) }
        if let number = try parseNumber() { return number }
        switch scanner.scanWord() {
        case "true": return .boolean(true)
        case "false": return .boolean(false)
        case .some(let word): return .word(word)
        case .none:
            throw failure("expected a value: text in quotes, a number, true, false, a word, a list, or (expression)")
        }
    }

    private mutating func parseList(level: Int) throws(TransformerError) -> [ArgumentValue] {
        try checkLevel(level)
        guard !scanner.take("]") else { return [] }
        var values: [ArgumentValue] = []
        repeat {
            values.append(try parseValue(level: level))
        } while scanner.take(",")
        guard scanner.take("]") else { throw failure("expected “,” or “]” in the list") }
        return values
    }

    private mutating func parseNumber() throws(TransformerError) -> ArgumentValue? {
        let start = scanner.position
        guard let number = scanner.scanNumber() else { return nil }
        digitCount += number.text.utf8.count - 1
        if number.isInteger {
            guard let integer = Int(number.text) else {
                throw failure("the integer does not fit in 64 bits", at: start)
            }
            return .integer(integer)
        }
        guard let decimal = Double(number.text), decimal.isFinite else {
            throw failure("the number is too large for a Double", at: start)
        }
        return .decimal(decimal)
    }

    private mutating func parseString() throws(TransformerError) -> String {
        var bytes: [UInt8] = []
        while let byte = scanner.takeByte() {
            switch byte {
            case UInt8(ascii: "\""): return String(decoding: bytes, as: UTF8.self)
            case UInt8(ascii: "\\"): bytes += try parseEscape().utf8
            case 0..<0x20:
                throw failure("control characters in a string must be written as \\u00XX", at: scanner.position - 1)
            default: bytes.append(byte)
            }
        }
        throw failure("the string has no closing quotation mark")
    }

    private mutating func parseEscape() throws(TransformerError) -> String {
        switch scanner.takeByte() {
        case UInt8(ascii: "\""): return "\""
        case UInt8(ascii: "\\"): return "\\"
        case UInt8(ascii: "/"): return "/"
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{C}"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "u"): return try parseUnicodeEscape()
        default: throw failure("“\\” must be followed by one of \" \\ / b f n r t u", at: scanner.position - 1)
        }
    }

    private mutating func parseUnicodeEscape() throws(TransformerError) -> String {
        let start = scanner.position - 2
        var units = [try parseCodeUnit()]
        if UTF16.isLeadSurrogate(units[0]), scanner.takeByte() == UInt8(ascii: "\\"),
            scanner.takeByte() == UInt8(ascii: "u")
        {
            units.append(try parseCodeUnit())
        }
        guard let text = String(validating: units, as: UTF16.self) else {
            throw failure("the escape is half of a surrogate pair", at: start)
        }
        return text
    }

    private mutating func parseCodeUnit() throws(TransformerError) -> UInt16 {
        let start = scanner.position
        var unit: UInt16 = 0
        for _ in 0..<4 {
            guard let byte = scanner.takeByte(), let digit = Character(Unicode.Scalar(byte)).hexDigitValue else {
                throw failure("“\\u” must be followed by four hexadecimal digits", at: start)
            }
            unit = unit << 4 | UInt16(digit)
        }
        return unit
    }

    private func checkLevel(_ level: Int) throws(TransformerError) {
        guard level <= limit.levels else {
            throw failure("expressions and lists are nested more than \(limit.levels) levels deep")
        }
    }

    private func failure(_ message: String, at offset: Int? = nil) -> TransformerError {
        TransformerError(.invalidExpression, message, offset: offset ?? scanner.position)
    }
}
