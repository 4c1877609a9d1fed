/// The rules that an attribute's value is checked against when it is saved.
///
/// A rule that is `nil` is not checked.
public struct ValidationRules: Sendable, Hashable {
    /// The smallest valid number.
    public var minimum: Double?
    /// The largest valid number.
    public var maximum: Double?
    /// The smallest valid length, in characters for text and in bytes for data.
    public var minimumLength: Int?
    /// The largest valid length, in characters for text and in bytes for data.
    public var maximumLength: Int?
    /// A regular expression that must match the whole text.
    public var pattern: String?

    /// Creates validation rules.
    ///
    /// - Parameters:
    ///   - minimum: The smallest valid number.
    ///   - maximum: The largest valid number.
    ///   - minimumLength: The smallest valid length, in characters for text and in bytes for data.
    ///   - maximumLength: The largest valid length, in characters for text and in bytes for data.
    ///   - pattern: A regular expression that must match the whole text.
    public init(
        minimum: Double? = nil,
        maximum: Double? = nil,
        minimumLength: Int? = nil,
        maximumLength: Int? = nil,
        pattern: String? = nil
    ) {
        self.minimum = minimum
        self.maximum = maximum
        self.minimumLength = minimumLength
        self.maximumLength = maximumLength
        self.pattern = pattern
    }

    /// No rules.
    public static let none = Self()
}
