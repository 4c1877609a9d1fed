/// A type that can be used for arguments of an expression.
///
/// Conforming types are `Int`, `Double`, `Bool`, `String`, optionals and arrays of these, ``TransformerExpression``,
/// and any `String`-backed `CaseIterable` enumeration that declares the conformance. The cases of an enumeration are
/// written as words. A raw value that is not a word, such as `camelCase`, is written in double quotes.
public protocol ArgumentConvertible: Sendable {
    /// A description of the type for messages, such as “an integer”.
    static var argumentType: String { get }

    /// Creates a value from an argument, or returns nil if the argument has a different type.
    ///
    /// - Parameter argument: The argument.
    init?(argument: ArgumentValue)

    /// The argument in canonical form, or nil if the argument is omitted.
    var argument: ArgumentValue? { get }
}

extension Int: ArgumentConvertible {
    /// A description of the type for messages.
    public static var argumentType: String { "an integer" }

    /// Creates a value from an argument.
    public init?(argument: ArgumentValue) {
        guard case .integer(let number) = argument else { return nil }
        self = number
    }

    /// The argument in canonical form.
    public var argument: ArgumentValue? { .integer(self) }
}

extension Double: ArgumentConvertible {
    /// A description of the type for messages.
    public static var argumentType: String { "a number" }

    /// Creates a value from an argument.
    public init?(argument: ArgumentValue) {
        switch argument {
        case .integer(let number): self = Double(number)
        case .decimal(let number): self = number
        default: return nil
        }
    }

    /// The argument in canonical form.
    public var argument: ArgumentValue? { .decimal(self) }
}

extension Bool: ArgumentConvertible {
    /// A description of the type for messages.
    public static var argumentType: String { "true or false" }

    /// Creates a value from an argument.
    public init?(argument: ArgumentValue) {
        guard case .boolean(let flag) = argument else { return nil }
        self = flag
    }

    /// The argument in canonical form.
    public var argument: ArgumentValue? { .boolean(self) }
}

extension String: ArgumentConvertible {
    /// A description of the type for messages.
    public static var argumentType: String { "text in double quotes" }

    /// Creates a string from an argument, which can also be a bare word, because quotation marks
    /// are inconvenient in a shell.
    public init?(argument: ArgumentValue) {
        switch argument {
        case .string(let text), .word(let text): self = text
        default: return nil
        }
    }

    /// The argument in canonical form.
    public var argument: ArgumentValue? { .string(self) }
}

extension TransformerExpression: ArgumentConvertible {
    /// A description of the type for messages.
    public static var argumentType: String { "an expression in parentheses" }

    /// Creates an expression from an argument.
    public init?(argument: ArgumentValue) {
        guard case .expression(let expression) = argument else { return nil }
        self = expression
    }

    /// The argument in canonical form.
    public var argument: ArgumentValue? { .expression(self) }
}

extension Optional: ArgumentConvertible where Wrapped: ArgumentConvertible {
    /// A description of the type for messages.
    public static var argumentType: String { Wrapped.argumentType }

    /// Creates a value from an argument.
    public init?(argument: ArgumentValue) {
        guard let value = Wrapped(argument: argument) else { return nil }
        self = value
    }

    /// The argument in canonical form.
    public var argument: ArgumentValue? { flatMap(\.argument) }
}

extension Array: ArgumentConvertible where Element: ArgumentConvertible {
    /// A description of the type for messages.
    public static var argumentType: String { "a list in brackets, each \(Element.argumentType)" }

    /// Creates a list from an argument.
    public init?(argument: ArgumentValue) {
        guard case .list(let values) = argument else { return nil }
        let elements = values.compactMap(Element.init(argument:))
        guard elements.count == values.count else { return nil }
        self = elements
    }

    /// The argument in canonical form.
    public var argument: ArgumentValue? { .list(compactMap(\.argument)) }
}

extension ArgumentConvertible where Self: RawRepresentable & CaseIterable, RawValue == String {
    /// A description of the type for messages.
    public static var argumentType: String {
        "one of " + allCases.map { "\(ArgumentValue(choice: $0.rawValue))" }.joined(separator: ", ")
    }

    /// Creates a value from an argument.
    public init?(argument: ArgumentValue) {
        switch argument {
        case .word(let word), .string(let word): self.init(rawValue: word)
        default: return nil
        }
    }

    /// The argument in canonical form.
    public var argument: ArgumentValue? { ArgumentValue(choice: rawValue) }
}
