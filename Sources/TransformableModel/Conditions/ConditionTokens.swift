/// The tokens of a condition's text, from the next one on.
struct ConditionTokens {
    private var scanner: ConditionScanner
    private(set) var next = ConditionScanner.Token.end
    /// The position of the next token.
    private(set) var offset = 0

    init(_ text: String) throws(StoreError) {
        scanner = ConditionScanner(text)
        try advance()
    }

    mutating func advance() throws(StoreError) {
        (next, offset) = try scanner.next()
    }

    func error(_ message: String, at offset: Int) -> StoreError { scanner.error(message, at: offset) }

    /// Returns the error for a token that is not what the text must have at its place.
    func unexpected(_ expected: String) -> StoreError { error("expected \(expected)", at: offset) }

    /// Returns a Boolean value that indicates whether the next token is one of some keywords or signs.
    func isNext(_ words: String...) -> Bool { isNext(words) }

    private func isNext(_ words: [String]) -> Bool {
        switch next {
        case .name(let name): words.contains(name.lowercased())
        case .sign(let sign): words.contains(sign)
        default: false
        }
    }

    /// Takes the next token if it is one of some keywords or signs.
    mutating func take(_ words: String...) throws(StoreError) -> Bool {
        guard isNext(words) else { return false }
        try advance()
        return true
    }

    /// Takes the next token if it is one of some operators.
    mutating func take(_ signs: Arithmetic.Sign...) throws(StoreError) -> Arithmetic.Sign? {
        for sign in signs where next == .sign(sign.rawValue) {
            try advance()
            return sign
        }
        return nil
    }

    mutating func expect(_ word: String) throws(StoreError) {
        guard try take(word) else { throw unexpected("“\(word)”") }
    }
}

/// The parameters of a condition, as far as it has been parsed.
struct ConditionParameters {
    /// The values, or `nil` if only the names matter.
    private let values: [String: (any Sendable)?]?
    /// The names, in the order in which they first occur.
    private(set) var names: [String] = []
    /// The names of the parameters that follow `in`.
    private(set) var lists: Set<String> = []

    init(values: [String: (any Sendable)?]?) {
        self.values = values
    }

    /// Notes a parameter, and returns its value, or null if only the names matter.
    mutating func operand(_ name: String, at offset: Int) throws(StoreError) -> Operand {
        Self.constant(try value(name, at: offset))
    }

    /// Notes a parameter that is a list, and returns its elements.
    mutating func list(_ name: String, at offset: Int) throws(StoreError) -> [Operand] {
        let value = try value(name, at: offset)
        lists.insert(name)
        guard values != nil else { return [] }
        guard let list = value as? [any Sendable] else {
            let message = "the parameter $\(name) must be an array, because it follows “in”"
            throw StoreError(.invalidCondition, message, offset: offset)
        }
        return list.map(Self.constant)
    }

    private mutating func value(_ name: String, at offset: Int) throws(StoreError) -> (any Sendable)? {
        if !names.contains(name) { names.append(name) }
        guard let values else { return nil }
        guard let value = values[name] else {
            throw StoreError(.invalidCondition, "the parameter $\(name) has no value", offset: offset)
        }
        return value
    }

    private static func constant(_ value: (any Sendable)?) -> Operand {
        switch value {
        case nil: .literal(.null)
        case let literal as Operand.Literal: .literal(literal)
        case let value?: .value(value)
        }
    }
}
