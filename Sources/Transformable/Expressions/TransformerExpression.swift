/// The text form of a transformer: stages separated by `|`, such as `jpeg(quality: 85) | sealed(key: "clinic")`.
///
/// The same text is used in code, in models, in database files, and on the command line. Parsing checks only the
/// grammar. A ``TransformerRegistry`` checks the names and their arguments.
///
/// ```
/// expression = stage *( "|" stage )        ; at most 4,096 bytes, 16 stages, 4 levels; spaces are optional
/// stage      = name [ "(" [ argument *( "," argument ) ] ")" ]
/// name       = word *( "." word )
/// word       = lower *( lower / digit ) *( "-" 1*( lower / digit ) )
/// argument   = label ":" value             ; label = [a-z][A-Za-z0-9]*
/// value      = string / integer / decimal / "true" / "false" / word / "[" [ value *( "," value ) ] "]"
///            / "(" expression ")"
/// string     = as in JSON
/// ```
///
/// Spaces outside of strings do not count as bytes, and a number counts as one byte.
public struct TransformerExpression: Sendable, Hashable {
    /// The stages, starting with the one that takes the value.
    public var stages: [Stage]

    /// Creates an expression from stages.
    public init(stages: [Stage]) {
        self.stages = stages
    }

    /// Parses an expression.
    ///
    /// - Parameter text: The expression, which must not be longer than 4,096 bytes without spaces.
    /// - Throws: ``TransformerError`` with the code ``TransformerError/Code/invalidExpression`` and an offset if the
    ///   text is not a valid expression.
    public init(_ text: String) throws(TransformerError) {
        var parser = ExpressionParser(text, allowsVersions: false)
        self = try parser.parse()
    }

    /// A stage of an expression: a transformer and its arguments.
    public struct Stage: Sendable, Hashable {
        /// The name of the transformer.
        public var name: TransformerName
        /// The version of the encoded form, which only signatures include.
        public var version: Int?
        /// The arguments, in the order in which they are written.
        public var arguments: [Argument]

        /// Creates a stage.
        public init(_ name: TransformerName, version: Int? = nil, arguments: [Argument] = []) {
            self.name = name
            self.version = version
            self.arguments = arguments
        }
    }

    /// A labeled argument of a stage.
    public struct Argument: Sendable, Hashable {
        /// The label, without the colon.
        public var label: String
        /// The value.
        public var value: ArgumentValue

        /// Creates an argument.
        public init(_ label: String, _ value: ArgumentValue) {
            self.label = label
            self.value = value
        }
    }

    /// The limits of the grammar.
    struct Limit {
        /// The limits of expressions.
        static let expression = Self(bytes: 4096, stages: 16, levels: 4)
        /// The limits of signatures, which also state versions, default arguments, and implied stages.
        ///
        /// The default of an argument in an inner expression can be a list or an expression itself.
        static let signature = Self(bytes: 65_536, stages: 64, levels: 16)

        let bytes: Int
        let stages: Int
        let levels: Int
    }
}

extension TransformerExpression: CustomStringConvertible {
    /// The expression with canonical spacing, which can be parsed to an equal expression.
    public var description: String {
        stages.map(\.description).joined(separator: " | ")
    }
}

extension TransformerExpression.Stage: CustomStringConvertible {
    /// The stage in canonical form.
    public var description: String {
        let version = version.map { "/\($0)" } ?? ""
        guard !arguments.isEmpty else { return "\(name)\(version)" }
        let list = arguments.map { "\($0.label): \($0.value)" }.joined(separator: ", ")
        return "\(name)\(version)(\(list))"
    }
}

/// The value of an argument in an expression.
public indirect enum ArgumentValue: Sendable, Hashable {
    /// A string in double quotes, with the escape sequences of JSON.
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

    /// Creates a word, or a string if the text is not a word.
    init(choice text: String) {
        self = Self.isWord(text) ? .word(text) : .string(text)
    }

    private static func isWord(_ text: String) -> Bool {
        var scanner = ExpressionScanner(text)
        return scanner.scanWord() != nil && scanner.isAtEnd && !["true", "false"].contains(text)
    }

    /// Whether the text of the value can be parsed to an equal value.
    var isWritable: Bool {
        switch self {
        case .string, .integer, .boolean, .expression: true
        case .decimal(let number): number.isFinite
        case .word(let word): Self.isWord(word)
        case .list(let values): values.allSatisfy(\.isWritable)
        }
    }
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

/// The name under which a transformer is registered, such as `rect`, `blind-index`, or `acme.thumbnail`.
///
/// A name consists of words of lowercase letters and digits joined by `-`. Add a prefix and a dot to the names of your
/// own transformers. Names are validated when a registry is created. You can extend this type with static members for
/// your own names.
public struct TransformerName: RawRepresentable, Hashable, Sendable, ExpressibleByStringLiteral {
    /// The text of the name.
    public let rawValue: String

    /// Creates a name from a string.
    ///
    /// A registry rejects invalid names.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// Creates a name from a literal.
    public init(stringLiteral value: String) {
        self.init(rawValue: value)
    }

    /// Whether the name matches `word *( "." word )` with `word = lower *( lower / digit ) *( "-" 1*( lower / digit )
    /// )`.
    public var isValid: Bool {
        var scanner = ExpressionScanner(rawValue)
        return scanner.scanName() == rawValue
    }
}

extension TransformerName: CustomStringConvertible {
    /// The text of the name.
    public var description: String { rawValue }
}

extension TransformerName: Comparable {
    /// Returns whether a name precedes another one alphabetically.
    public static func < (left: Self, right: Self) -> Bool {
        left.rawValue < right.rawValue
    }
}
