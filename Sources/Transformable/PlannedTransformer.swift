/// A one-way transformer whose worth depends on how many different values it is given, such as a truncated digest.
public protocol PlannedTransformer: OneWayTransformer {
    /// What to know whatever the number of values, in a sentence without its full stop.
    var advice: String { get }

    /// Refuses a number of values that it does not suit.
    ///
    /// - Parameter distinctValues: How many different values there are, or will be.
    /// - Throws: ``TransformerError`` that says why, and what would suit.
    func verify(distinctValues: Int) throws

    /// How many bits a result tells about its value; 0 if that cannot be said.
    var bitCount: Int { get }

    /// Refuses a number of values that it does not suit beside other results of the same values.
    ///
    /// Anyone who sees several results of a value has all of their bits.
    ///
    /// - Parameters:
    ///   - distinctValues: How many different values there are, or will be.
    ///   - others: How many bits other results tell about the same value.
    /// - Throws: ``TransformerError`` that says why, and what would suit.
    func verify(distinctValues: Int, besides others: Int) throws
}

extension PlannedTransformer {
    /// 0.
    public var bitCount: Int { 0 }

    /// Does what ``verify(distinctValues:)`` does.
    public func verify(distinctValues: Int, besides others: Int) throws {
        try verify(distinctValues: distinctValues)
    }
}
