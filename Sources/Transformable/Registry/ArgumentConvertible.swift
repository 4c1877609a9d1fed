/// A Swift type that an argument of an expression can have.
///
/// Conforming are `Int`, `Double`, `Bool`, `String`, optionals and arrays of these,
/// ``TransformerExpression``, and every `String`-backed `CaseIterable` enumeration that states the
/// conformance: its cases are the words to choose from.
public protocol ArgumentConvertible: Sendable {
    /// What is expected, as it stands in a message: “an integer”.
    static var argumentType: String { get }

    /// Reads a value; nil if it is of another type.
    ///
    /// - Parameter argument: What the expression says.
    init?(argument: ArgumentValue)

    /// The value as canonical text writes it; nil where it is written by leaving it out.
    var argument: ArgumentValue? { get }
}

extension Int: ArgumentConvertible {
    /// What a message says is expected.
    public static var argumentType: String { "an integer" }

    /// Reads a value of this type.
    public init?(argument: ArgumentValue) {
        guard case .integer(let number) = argument else { return nil }
        self = number
    }

    /// The value as canonical text writes it.
    public var argument: ArgumentValue? { .integer(self) }
}

extension Double: ArgumentConvertible {
    /// What a message says is expected.
    public static var argumentType: String { "a number" }

    /// Reads a value of this type.
    public init?(argument: ArgumentValue) {
        switch argument {
        case .integer(let number): self = Double(number)
        case .decimal(let number): self = number
        default: return nil
        }
    }

    /// The value as canonical text writes it.
    public var argument: ArgumentValue? { .decimal(self) }
}

extension Bool: ArgumentConvertible {
    /// What a message says is expected.
    public static var argumentType: String { "true or false" }

    /// Reads a value of this type.
    public init?(argument: ArgumentValue) {
        guard case .boolean(let flag) = argument else { return nil }
        self = flag
    }

    /// The value as canonical text writes it.
    public var argument: ArgumentValue? { .boolean(self) }
}

extension String: ArgumentConvertible {
    /// What a message says is expected.
    public static var argumentType: String { "text in double quotes" }

    /// Takes a bare word as text too, which spares quoting in a shell.
    public init?(argument: ArgumentValue) {
        switch argument {
        case .string(let text), .word(let text): self = text
        default: return nil
        }
    }

    /// The value as canonical text writes it.
    public var argument: ArgumentValue? { .string(self) }
}

extension TransformerExpression: ArgumentConvertible {
    /// What a message says is expected.
    public static var argumentType: String { "an expression in parentheses" }

    /// Reads a value of this type.
    public init?(argument: ArgumentValue) {
        guard case .expression(let expression) = argument else { return nil }
        self = expression
    }

    /// The value as canonical text writes it.
    public var argument: ArgumentValue? { .expression(self) }
}

extension Optional: ArgumentConvertible where Wrapped: ArgumentConvertible {
    /// What a message says is expected.
    public static var argumentType: String { Wrapped.argumentType }

    /// Reads a value of this type.
    public init?(argument: ArgumentValue) {
        guard let value = Wrapped(argument: argument) else { return nil }
        self = value
    }

    /// The value as canonical text writes it.
    public var argument: ArgumentValue? { flatMap(\.argument) }
}

extension Array: ArgumentConvertible where Element: ArgumentConvertible {
    /// What a message says is expected.
    public static var argumentType: String { "a list in brackets, each \(Element.argumentType)" }

    /// Reads a value of this type.
    public init?(argument: ArgumentValue) {
        guard case .list(let values) = argument else { return nil }
        let elements = values.compactMap(Element.init(argument:))
        guard elements.count == values.count else { return nil }
        self = elements
    }

    /// The value as canonical text writes it.
    public var argument: ArgumentValue? { .list(compactMap(\.argument)) }
}

extension ArgumentConvertible where Self: RawRepresentable & CaseIterable, RawValue == String {
    /// What a message says is expected.
    public static var argumentType: String {
        "one of " + allCases.map(\.rawValue).joined(separator: ", ")
    }

    /// Reads a value of this type.
    public init?(argument: ArgumentValue) {
        switch argument {
        case .word(let word), .string(let word): self.init(rawValue: word)
        default: return nil
        }
    }

    /// The value as canonical text writes it.
    public var argument: ArgumentValue? { .word(rawValue) }
}
