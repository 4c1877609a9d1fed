/// The name under which a transformer is registered, such as `rect`, `blind-index`, or `acme.thumbnail`.
///
/// A name consists of words of lowercase letters and digits joined by `-`. Add a prefix and a dot to the names of your
/// own transformers. Names are validated when a registry is created. You can extend this type with static members for
/// your own names.
public struct TransformerName: RawRepresentable, Hashable, Sendable, ExpressibleByStringLiteral {
    /// The text of the name.
    public let rawValue: String

    /// Creates a name from a text.
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
