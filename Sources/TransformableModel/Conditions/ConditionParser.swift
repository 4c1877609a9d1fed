/// Parses the text of a condition, as documented on ``Condition``.
struct ConditionParser {
    private enum Limit {
        static let bytes = 65_536
        static let depth = 64
        // Chains of terms within parentheses add up.
        static let termDepth = 200
    }

    /// A part of the text: either a condition or a term.
    private enum Part {
        case node(Condition.Node)
        case term(Term)
    }

    private var tokens: ConditionTokens
    private var depth = 0
    private var parameters: ConditionParameters

    init(_ text: String, parameters values: [String: (any Sendable)?]? = [:]) throws(StoreError) {
        guard text.utf8.count <= Limit.bytes else {
            throw StoreError(.limitExceeded, "the condition is longer than \(Limit.bytes) bytes")
        }
        tokens = try ConditionTokens(text)
        parameters = ConditionParameters(values: values)
    }

    mutating func parse() throws(StoreError) -> Condition.Node {
        let node = try disjunction()
        guard tokens.next == .end else { throw tokens.unexpected("“and”, “or”, or the end") }
        return try self.node(node)
    }

    /// Returns the names of the parameters in a condition, in the order in which they first occur, and those that are
    /// lists.
    ///
    /// - Throws: `StoreError`, if the text is not a condition.
    static func parameters(of text: String) throws(StoreError) -> (all: [String], lists: Set<String>) {
        var parser = try Self(text, parameters: nil)
        _ = try parser.parse()
        return (parser.parameters.names, parser.parameters.lists)
    }

    // MARK: - Parts

    private mutating func deeper<Result>(
        _ body: (inout Self) throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
        depth += 1
        defer { depth -= 1 }
        guard depth <= Limit.depth else {
            throw StoreError(
                .limitExceeded,
                "the condition is nested deeper than \(Limit.depth) levels",
                offset: tokens.offset
            )
        }
        return try body(&self)
    }

    /// Returns a part as a condition.
    ///
    /// A name alone means that its value is true.
    private func node(_ part: Part) throws(StoreError) -> Condition.Node {
        switch part {
        case .node(let node): return node
        case .term(.constant(.literal(.boolean(let flag)))): return .constant(flag)
        case .term(.path(let path)): return .isTrue(.path(path))
        case .term: throw tokens.unexpected("an operator")
        }
    }

    private func term(_ part: Part) -> Term {
        switch part {
        case .node(let node): .truth(node)
        case .term(let term): term
        }
    }

    // MARK: - Logic

    private mutating func disjunction() throws(StoreError) -> Part {
        let first = try conjunction()
        guard tokens.isNext("or", "||") else { return first }
        var nodes = [try node(first)]
        while try tokens.take("or", "||") { nodes.append(try node(conjunction())) }
        return .node(.or(nodes))
    }

    private mutating func conjunction() throws(StoreError) -> Part {
        let first = try unary()
        guard tokens.isNext("and", "&&") else { return first }
        var nodes = [try node(first)]
        while try tokens.take("and", "&&") { nodes.append(try node(unary())) }
        return .node(.and(nodes))
    }

    private mutating func unary() throws(StoreError) -> Part {
        if try tokens.take("not", "!") {
            return try deeper { parser throws(StoreError) in
                let inner = try parser.unary()
                return .node(.not(try parser.node(inner)))
            }
        }
        if let quantifier = try quantifier() { return .node(try quantified(quantifier)) }
        let first = try sum()
        guard case .node = first else { return try test(of: term(first)) }
        return isComparison ? try signComparison(term(first)) : first
    }

    private mutating func quantifier() throws(StoreError) -> Condition.Quantifier? {
        if try tokens.take("any", "some") { return .any }
        if try tokens.take("all") { return .all }
        return try tokens.take("none") ? Condition.Quantifier.none : nil
    }

    private mutating func quantified(_ quantifier: Condition.Quantifier) throws(StoreError) -> Condition.Node {
        let path = try path()
        if try tokens.take("(") {
            return try deeper { parser throws(StoreError) in
                let part = try parser.disjunction()
                let inner = try parser.node(part)
                try parser.tokens.expect(")")
                return .related(quantifier, path, inner)
            }
        }
        switch try node(test(of: .path(path))) {
        case .comparison(_, let comparison, let options): return .quantified(quantifier, path, comparison, options)
        case .not(.comparison(_, let comparison, let options)):
            return try Self.negated(quantifier, path, comparison, options)
        default: throw tokens.unexpected("an operator")
        }
    }

    /// Quantifies a negated comparison: “any … not” becomes “not all”.
    private static func negated(
        _ quantifier: Condition.Quantifier,
        _ path: Term.Path,
        _ comparison: Condition.Comparison,
        _ options: TextOptions
    ) throws(StoreError) -> Condition.Node {
        switch quantifier {
        case .any: .not(.quantified(.all, path, comparison, options))
        case .all: .quantified(.none, path, comparison, options)
        case .none: .quantified(.all, path, comparison, options)
        }
    }

    private mutating func path() throws(StoreError) -> Term.Path {
        guard case .path(let path) = try name() else { throw tokens.unexpected("a path without “@”") }
        return path
    }

    // MARK: - Tests

    private mutating func test(of term: Term) throws(StoreError) -> Part {
        if try tokens.take("is") {
            let isNegated = try tokens.take("not")
            try tokens.expect("null")
            return Self.part(term, .isNull, [], isNegated)
        }
        let isNegated = try tokens.take("not")
        if let (comparison, options) = try wordComparison() { return Self.part(term, comparison, options, isNegated) }
        guard !isNegated else {
            throw tokens.unexpected("“in”, “between”, “contains”, “startsWith”, “endsWith”, or “like”")
        }
        return try signComparison(term)
    }

    private static func part(
        _ term: Term,
        _ comparison: Condition.Comparison,
        _ options: TextOptions,
        _ isNegated: Bool
    ) -> Part {
        let node = Condition.Node.comparison(term, comparison, options)
        return .node(isNegated ? .not(node) : node)
    }

    private mutating func wordComparison() throws(StoreError) -> (Condition.Comparison, TextOptions)? {
        if try tokens.take("in") {
            let options = try options()
            return (.within(try list()), options)
        }
        if try tokens.take("between") {
            let least = try operand()
            try tokens.expect("and")
            return (.between(least, try operand()), [])
        }
        let tests: [(String, (Operand) -> Condition.Comparison)] = [
            ("contains", { .contains($0) }), ("startswith", { .startsWith($0) }), ("endswith", { .endsWith($0) }),
            ("like", { .like($0) }),
        ]
        for (word, comparison) in tests where try tokens.take(word) {
            let options = try options()
            return (comparison(try operand()), options)
        }
        return nil
    }

    private mutating func options() throws(StoreError) -> TextOptions {
        guard try tokens.take("[") else { return [] }
        guard case .name(let letters) = tokens.next else { throw tokens.unexpected("“c”, “d”, or “cd”") }
        var options: TextOptions = []
        for letter in letters.lowercased() {
            switch letter {
            case "c": options.insert(.caseInsensitive)
            case "d": options.insert(.diacriticInsensitive)
            default: throw tokens.unexpected("“c”, “d”, or “cd”")
            }
        }
        try tokens.advance()
        try tokens.expect("]")
        return options
    }

    private var isComparison: Bool { tokens.isNext("==", "=", "!=", "<>", "<", "<=", ">", ">=") }

    private mutating func signComparison(_ term: Term) throws(StoreError) -> Part {
        guard isComparison, case .sign(let sign) = tokens.next else { return .term(term) }
        try tokens.advance()
        let options = try options()
        let operand = try operand()
        return switch sign {
        case "==", "=": Self.part(term, .equal(operand), options, false)
        case "!=", "<>": Self.part(term, .equal(operand), options, true)
        case "<": Self.part(term, .less(operand), options, false)
        case "<=": Self.part(term, .lessOrEqual(operand), options, false)
        case ">": Self.part(term, .greater(operand), options, false)
        default: Self.part(term, .greaterOrEqual(operand), options, false)
        }
    }

    private mutating func list() throws(StoreError) -> [Operand] {
        if case .parameter(let name) = tokens.next { return try list(ofParameter: name) }
        try tokens.expect("(")
        guard try !tokens.take(")") else { return [] }
        var operands = [try operand()]
        while try tokens.take(",") { operands.append(try operand()) }
        try tokens.expect(")")
        return operands
    }

    private mutating func operand() throws(StoreError) -> Operand {
        Operand(term(try sum()))
    }

    // MARK: - Parameters

    private mutating func parameter(_ name: String) throws(StoreError) -> Term {
        let operand = try parameters.operand(name, at: tokens.offset)
        try tokens.advance()
        return .constant(operand)
    }

    /// Returns the elements of a parameter that is a list.
    private mutating func list(ofParameter name: String) throws(StoreError) -> [Operand] {
        let list = try parameters.list(name, at: tokens.offset)
        try tokens.advance()
        return list
    }

    // MARK: - Terms

    private mutating func sum() throws(StoreError) -> Part {
        var first = try product()
        var count = 1
        while let sign = try tokens.take(.plus, .minus) {
            count += 1
            first = try chained(first, sign, product(), count)
        }
        return first
    }

    private mutating func product() throws(StoreError) -> Part {
        var first = try factor()
        var count = 1
        while let sign = try tokens.take(.times, .divided, .remainder) {
            count += 1
            first = try chained(first, sign, factor(), count)
        }
        return first
    }

    /// Each operator in a chain nests the term one level deeper.
    private func chained(
        _ left: Part,
        _ sign: Arithmetic.Sign,
        _ right: Part,
        _ count: Int
    ) throws(StoreError) -> Part {
        guard count <= Limit.depth else {
            throw StoreError(.limitExceeded, "there are more than \(Limit.depth) terms in a row", offset: tokens.offset)
        }
        let term = Term.arithmetic(term(left), sign, term(right), nil)
        guard term.depth <= Limit.termDepth else {
            let message = "the terms are nested deeper than \(Limit.termDepth) levels"
            throw StoreError(.limitExceeded, message, offset: tokens.offset)
        }
        return .term(term)
    }

    private mutating func factor() throws(StoreError) -> Part {
        if try tokens.take("-") {
            return try deeper { parser throws(StoreError) in
                let inner = try parser.factor()
                return .term(Self.negative(parser.term(inner)))
            }
        }
        if try tokens.take("(") {
            return try deeper { parser throws(StoreError) in
                let part = try parser.disjunction()
                try parser.tokens.expect(")")
                return part
            }
        }
        return .term(try primary())
    }

    private static func negative(_ term: Term) -> Term {
        switch term {
        case .constant(.literal(.integer(let number))) where number != .min: .constant(.literal(.integer(-number)))
        case .constant(.literal(.number(let number, let text))):
            .constant(.literal(.number(-number, text: text.hasPrefix("-") ? String(text.dropFirst()) : "-\(text)")))
        default: .negative(term, nil)
        }
    }

    private mutating func primary() throws(StoreError) -> Term {
        if try tokens.take("null", "nil") { return .constant(.literal(.null)) }
        if try tokens.take("true") { return .constant(.literal(.boolean(true))) }
        if try tokens.take("false") { return .constant(.literal(.boolean(false))) }
        if case .literal(let literal) = tokens.next {
            try tokens.advance()
            return .constant(.literal(literal))
        }
        if case .parameter(let name) = tokens.next { return try parameter(name) }
        return try name()
    }

    private mutating func path(_ names: [String], at start: Int) throws(StoreError) -> Term {
        try tokens.advance()
        guard let term = Term(path: names) else {
            throw tokens.error("“@” must be followed by count, length, sum, min, max, or avg", at: start)
        }
        return term
    }

    /// Parses a path and what is computed at its end.
    private mutating func name() throws(StoreError) -> Term {
        let start = tokens.offset
        switch tokens.next {
        case .quotedPath(let names): return try path(names, at: start)
        case .name(let name): return try path(name.split(separator: ".").map(String.init), at: start)
        default: throw tokens.unexpected("a name or a value: text in quotes, a number, or a date")
        }
    }
}
