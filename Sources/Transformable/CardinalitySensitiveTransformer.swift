/// A one-way transformer, such as a truncated digest, whose suitability depends on the number of distinct values.
public protocol CardinalitySensitiveTransformer: OneWayTransformer {
    /// Advice that applies regardless of the number of values, as a sentence without a period.
    var advice: String { get }

    /// Verifies that the transformer is suitable for a number of values.
    ///
    /// - Parameter distinctValues: The expected number of distinct values.
    /// - Throws: ``TransformerError``, which explains the problem and suggests a solution, if the transformer is not
    ///   suitable.
    func verify(distinctValues: Int) throws

    /// The number of bits that a result reveals about its value, or 0 if it is unknown.
    var bitCount: Int { get }

    /// Verifies that the transformer is suitable for a number of values, given other results of the same values.
    ///
    /// Anyone who sees several results of a value has the bits of all of them.
    ///
    /// - Parameters:
    ///   - distinctValues: The expected number of distinct values.
    ///   - others: The number of bits that other results reveal about the same value.
    /// - Throws: ``TransformerError``, which explains the problem and suggests a solution, if the transformer is not
    ///   suitable.
    func verify(distinctValues: Int, besides others: Int) throws
}

extension CardinalitySensitiveTransformer {
    /// Returns 0.
    public var bitCount: Int { 0 }

    /// Calls ``verify(distinctValues:)``.
    public func verify(distinctValues: Int, besides others: Int) throws {
        try verify(distinctValues: distinctValues)
    }
}
