/// The value of an argument in an expression.
public indirect enum ArgumentValue: Sendable, Hashable {
    /// A text in double quotes, with the escape sequences of JSON.
    case string(String)
    /// An integer.
    case integer(Int)
    /// A finite number with a fraction or an exponent.
    case decimal(Double)
    /// `true` or `false`.
    case boolean(Bool)
    /// A bare word, which selects one of several choices.
    case word(String)
    /// A list of values in brackets.
    case list([ArgumentValue])
    /// An expression in parentheses.
    case expression(TransformerExpression)
}

extension ArgumentValue: CustomStringConvertible {
    /// The value in the syntax of expressions.
    public var description: String {
        switch self {
        case .string(let text): JSONString.literal(text, isTerminalSafe: false)
        case .integer(let number): String(number)
        case .decimal(let number): number.description
        case .boolean(let flag): flag ? "true" : "false"
        case .word(let word): word
        case .list(let values): "[\(values.map(\.description).joined(separator: ", "))]"
        case .expression(let expression): "(\(expression))"
        }
    }
}
