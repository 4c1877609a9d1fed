/// Parses the text of a condition, as documented on ``Condition``.
struct ConditionParser {
    private enum Limit {
        static let bytes = 65_536
        static let depth = 64
    }

    private var scanner: ConditionScanner
    private var token = ConditionScanner.Token.end
    private var offset = 0
    private var depth = 0

    init(_ text: String) throws(StoreError) {
        guard text.utf8.count <= Limit.bytes else {
            throw StoreError(.limitExceeded, "the condition is longer than \(Limit.bytes) bytes")
        }
        scanner = ConditionScanner(text)
        try advance()
    }

    mutating func parse() throws(StoreError) -> Condition.Node {
        let node = try disjunction()
        guard token == .end else { throw unexpected("“and”, “or” or the end") }
        return node
    }

    private mutating func advance() throws(StoreError) {
        (token, offset) = try scanner.next()
    }

    private func unexpected(_ expected: String) -> StoreError {
        scanner.error("\(expected) is expected", at: offset)
    }

    private func isKeyword(_ words: String...) -> Bool {
        switch token {
        case .name(let name): words.contains(name.lowercased())
        case .sign(let sign): words.contains(sign)
        default: false
        }
    }

    private mutating func take(_ words: String...) throws(StoreError) -> Bool {
        for word in words where isKeyword(word) {
            try advance()
            return true
        }
        return false
    }

    private mutating func expect(_ word: String) throws(StoreError) {
        guard try take(word) else { throw unexpected("“\(word)”") }
    }

    private mutating func disjunction() throws(StoreError) -> Condition.Node {
        var nodes = [try conjunction()]
        while try take("or", "||") { nodes.append(try conjunction()) }
        return nodes.count == 1 ? nodes[0] : .or(nodes)
    }

    private mutating func conjunction() throws(StoreError) -> Condition.Node {
        var nodes = [try unary()]
        while try take("and", "&&") { nodes.append(try unary()) }
        return nodes.count == 1 ? nodes[0] : .and(nodes)
    }

    private mutating func unary() throws(StoreError) -> Condition.Node {
        depth += 1
        defer { depth -= 1 }
        guard depth <= Limit.depth else {
            throw StoreError(
                .limitExceeded,
                "the condition is nested deeper than \(Limit.depth) levels",
                offset: offset
            )
        }
        if try take("not", "!") { return .not(try unary()) }
        if try take("(") {
            let node = try disjunction()
            try expect(")")
            return node
        }
        if try take("true") { return .constant(true) }
        if try take("false") { return .constant(false) }
        return try comparison()
    }

    private mutating func comparison() throws(StoreError) -> Condition.Node {
        let name: String
        switch token {
        case .name(let text), .quotedName(let text): name = text
        default: throw unexpected("an attribute’s name")
        }
        try advance()
        if try take("is") {
            let isNegated = try take("not")
            try expect("null")
            return Self.node(name, .isNull, isNegated)
        }
        let isNegated = try take("not")
        if let comparison = try wordComparison() { return Self.node(name, comparison, isNegated) }
        guard !isNegated else { throw unexpected("“in”, “between”, “contains”, “startsWith”, “endsWith” or “like”") }
        return try signComparison(name)
    }

    private static func node(_ name: String, _ comparison: Condition.Comparison, _ isNegated: Bool) -> Condition.Node {
        let node = Condition.Node.comparison(name: name, comparison)
        return isNegated ? .not(node) : node
    }

    private mutating func wordComparison() throws(StoreError) -> Condition.Comparison? {
        if try take("in") { return .within(try list()) }
        if try take("between") {
            let least = try literal()
            try expect("and")
            return .between(least, try literal())
        }
        if try take("contains") { return .contains(try literal()) }
        if try take("startswith") { return .startsWith(try literal()) }
        if try take("endswith") { return .endsWith(try literal()) }
        if try take("like") { return .like(try literal()) }
        return nil
    }

    private mutating func signComparison(_ name: String) throws(StoreError) -> Condition.Node {
        guard case .sign(let sign) = token else { throw unexpected("an operator") }
        guard ["==", "=", "!=", "<>", "<", "<=", ">", ">="].contains(sign) else { throw unexpected("an operator") }
        try advance()
        let operand = try literal()
        return switch sign {
        case "==", "=": Self.node(name, .equal(operand), false)
        case "!=", "<>": Self.node(name, .equal(operand), true)
        case "<": Self.node(name, .less(operand), false)
        case "<=": Self.node(name, .lessOrEqual(operand), false)
        case ">": Self.node(name, .greater(operand), false)
        default: Self.node(name, .greaterOrEqual(operand), false)
        }
    }

    private mutating func list() throws(StoreError) -> [Operand] {
        try expect("(")
        guard try !take(")") else { return [] }
        var operands = [try literal()]
        while try take(",") { operands.append(try literal()) }
        try expect(")")
        return operands
    }

    private mutating func literal() throws(StoreError) -> Operand {
        if try take("null", "nil") { return .literal(.null) }
        if try take("true") { return .literal(.boolean(true)) }
        if try take("false") { return .literal(.boolean(false)) }
        guard case .literal(let literal) = token else {
            throw unexpected("a value: a text in quotes, a number or a date")
        }
        try advance()
        return .literal(literal)
    }
}

extension Condition {
    /// Parses a condition.
    ///
    /// - Parameter text: The condition, of at most 65,536 bytes and 64 levels.
    /// - Throws: ``StoreError`` with ``StoreError/Code/invalidCondition`` and the offset, or
    ///   ``StoreError/Code/limitExceeded``.
    public init(_ text: String) throws(StoreError) {
        var parser = try ConditionParser(text)
        self.init(try parser.parse())
    }
}
