/// The differences that a comparison of text ignores.
///
/// In the text of a condition, write the options as letters in brackets after the operator: `name contains[cd] "ada"`.
public struct TextOptions: OptionSet, Sendable, Hashable {
    /// The options as a bit mask.
    public let rawValue: Int

    /// Creates options from a bit mask.
    public init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// The comparison ignores case.
    public static let caseInsensitive = Self(rawValue: 1)
    /// The comparison ignores accents and other diacritics.
    public static let diacriticInsensitive = Self(rawValue: 2)
}
