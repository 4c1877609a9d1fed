/// What values an attribute accepts when it is saved; nil leaves a rule out.
public struct ValidationRules: Sendable, Hashable {
    /// The smallest number.
    public var minimum: Double?
    /// The largest number.
    public var maximum: Double?
    /// The fewest characters of a text, or bytes of data.
    public var minimumLength: Int?
    /// The most characters of a text, or bytes of data.
    public var maximumLength: Int?
    /// A regular expression that the whole text must match.
    public var pattern: String?

    /// Makes rules.
    ///
    /// - Parameters:
    ///   - minimum: The smallest number.
    ///   - maximum: The largest number.
    ///   - minimumLength: The fewest characters of a text, or bytes of data.
    ///   - maximumLength: The most characters of a text, or bytes of data.
    ///   - pattern: A regular expression that the whole text must match.
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

    /// No rule at all.
    public static let none = Self()
}
