extension Condition {
    /// Creates a condition from its text.
    ///
    /// - Parameter text: The condition, of at most 65,536 bytes and 64 levels of nesting.
    /// - Throws: ``StoreError`` with ``StoreError/Code/invalidCondition`` and the offset if the text does not follow
    ///   the grammar, or with ``StoreError/Code/limitExceeded`` if it exceeds a limit.
    public init(_ text: String) throws(StoreError) {
        var parser = try ConditionParser(text)
        self.init(try parser.parse())
    }

    /// Creates a condition from its text and the values of its parameters.
    ///
    /// ```swift
    /// let condition = try Condition("age >= $age and ward in $wards", parameters: ["age": 18, "wards": ["3B", "4A"]])
    /// ```
    ///
    /// A value never becomes part of the text, so it can come from anywhere.
    ///
    /// - Parameters:
    ///   - text: The condition, of at most 65,536 bytes and 64 levels of nesting.
    ///   - parameters: The values, by parameter. A `nil` value stands for null, and an array can follow `in`.
    /// - Throws: ``StoreError`` with ``StoreError/Code/invalidCondition`` and the offset if the text does not follow
    ///   the grammar or if a parameter has no value, or with ``StoreError/Code/limitExceeded`` if it exceeds a limit.
    public init(_ text: String, parameters: [String: (any Sendable)?]) throws(StoreError) {
        var parser = try ConditionParser(text, parameters: parameters)
        self.init(try parser.parse())
    }
}

extension Operand.Literal {
    /// Creates the value of a parameter from text, as on the command line.
    ///
    /// A number, date, quoted text, `true`, `false`, and `null` are read as in a condition. Anything else is text.
    ///
    /// - Parameter text: The text.
    package init(parameter text: String) {
        var scanner = ConditionScanner(text)
        guard let first = try? scanner.next().token, (try? scanner.next().token) == .end else {
            self = .string(text)
            return
        }
        switch first {
        case .literal(let literal): self = literal
        case .name("true"): self = .boolean(true)
        case .name("false"): self = .boolean(false)
        case .name("null"): self = .null
        default: self = .string(text)
        }
    }
}
