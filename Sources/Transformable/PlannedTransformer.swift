/// A one-way transformer whose worth depends on how many different values it is given, such as a truncated digest.
public protocol PlannedTransformer: OneWayTransformer {
    /// What to know whatever the number of values, in a sentence without its full stop.
    var advice: String { get }

    /// Refuses a number of values that it does not suit.
    ///
    /// - Parameter distinctValues: How many different values there are, or will be.
    /// - Throws: ``TransformerError`` that says why, and what would suit.
    func verify(distinctValues: Int) throws
}
