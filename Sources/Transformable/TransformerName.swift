/// The name under which a transformer is registered: `rect`, `blind-index`, `acme.thumbnail`.
///
/// Words of lower-case letters and digits joined by `-`; a program's own names bear a prefix and a
/// dot. The grammar is checked when a registry is made. Extend this type with static members to
/// give names of your own a home.
public struct TransformerName: RawRepresentable, Hashable, Sendable, ExpressibleByStringLiteral {
    /// The text.
    public let rawValue: String

    /// Makes a name of any text; a registry refuses those that are none.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// Makes a name of a literal.
    public init(stringLiteral value: String) {
        self.init(rawValue: value)
    }

    /// Whether the name follows `word *( "." word )` with `word = lower *( lower / digit ) *( "-" 1*( lower / digit ) )`.
    public var isValid: Bool {
        var scanner = ExpressionScanner(rawValue)
        return scanner.scanName() == rawValue
    }
}

extension TransformerName: CustomStringConvertible {
    /// The canonical text.
    public var description: String { rawValue }
}

extension TransformerName: Comparable {
    /// Orders names by their text.
    public static func < (left: Self, right: Self) -> Bool {
        left.rawValue < right.rawValue
    }
}
