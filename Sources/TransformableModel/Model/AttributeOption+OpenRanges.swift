/// Rules with only one limit.
extension AttributeOption {
    /// Limits the numbers that the attribute accepts from below.
    ///
    /// - Parameter range: The range of valid numbers.
    /// - Returns: The option.
    public static func range(_ range: PartialRangeFrom<Double>) -> Self {
        Self { $0.validation.minimum = range.lowerBound }
    }

    /// Limits the numbers that the attribute accepts from above.
    ///
    /// - Parameter range: The range of valid numbers.
    /// - Returns: The option.
    public static func range(_ range: PartialRangeThrough<Double>) -> Self {
        Self { $0.validation.maximum = range.upperBound }
    }

    /// Limits the length of the values that the attribute accepts from below, in characters for text and in bytes for
    /// data.
    ///
    /// - Parameter range: The range of valid lengths.
    /// - Returns: The option.
    public static func length(_ range: PartialRangeFrom<Int>) -> Self {
        Self { $0.validation.minimumLength = range.lowerBound }
    }

    /// Limits the length of the values that the attribute accepts from above, in characters for text and in bytes for
    /// data.
    ///
    /// - Parameter range: The range of valid lengths.
    /// - Returns: The option.
    public static func length(_ range: PartialRangeThrough<Int>) -> Self {
        Self { $0.validation.maximumLength = range.upperBound }
    }
}
