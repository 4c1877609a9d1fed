/// A transformer as text: stages joined by `|`, such as `jpeg(quality: 85) | sealed(key: "clinic")`.
///
/// The same string stands in code, in a model, in the database file and on the command line. Parsing
/// checks the grammar only; a ``TransformerRegistry`` knows the names and their arguments.
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
public struct TransformerExpression: Sendable, Hashable {
    /// The stages, the one that takes the value first.
    public var stages: [Stage]

    /// Makes an expression of stages.
    public init(stages: [Stage]) {
        self.stages = stages
    }

    /// Parses an expression.
    ///
    /// - Parameter text: The expression, at most 4,096 bytes.
    /// - Throws: ``TransformerError`` with ``TransformerError/Code/invalidExpression`` and the offset.
    public init(_ text: String) throws(TransformerError) {
        var parser = ExpressionParser(text, allowsVersions: false)
        self = try parser.parse()
    }

    /// One transformer of an expression, with its arguments.
    public struct Stage: Sendable, Hashable {
        /// The transformer's name.
        public var name: TransformerName
        /// The version of what it writes; stated only in signatures.
        public var version: Int?
        /// The arguments in the order they are written.
        public var arguments: [Argument]

        /// Makes a stage.
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
        /// The value as written.
        public var value: ArgumentValue

        /// Makes an argument.
        public init(_ label: String, _ value: ArgumentValue) {
            self.label = label
            self.value = value
        }
    }

    /// Limits of the grammar.
    enum Limit {
        static let bytes = 4096
        static let stages = 16
        static let levels = 4
    }
}

extension TransformerExpression: CustomStringConvertible {
    /// The expression with canonical spacing; parses to an equal expression.
    public var description: String {
        stages.map(\.description).joined(separator: " | ")
    }
}

extension TransformerExpression.Stage: CustomStringConvertible {
    /// The canonical text.
    public var description: String {
        let version = version.map { "/\($0)" } ?? ""
        guard !arguments.isEmpty else { return "\(name)\(version)" }
        let list = arguments.map { "\($0.label): \($0.value)" }.joined(separator: ", ")
        return "\(name)\(version)(\(list))"
    }
}
