extension Operand.Literal {
    /// Creates the value of a parameter from text that a person has written.
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
