public import Transformable

/// The location, length, or end of a range, for use in conditions and indexes.
public struct RangeMeasure<Value: IntegerRange>: OneWayTransformer {
    private let measure: @Sendable (_ location: Int, _ length: Int) -> Int

    private init(_ measure: @escaping @Sendable (_ location: Int, _ length: Int) -> Int) {
        self.measure = measure
    }

    /// The traits of the measure.
    ///
    /// Equal values have equal measures, which are compared as numbers.
    public var traits: TransformerTraits { [.deterministic, .canonical, .ordered] }

    /// Returns the measure of a range.
    public func encode(_ value: Value, in context: TransformContext) throws(TransformerError) -> Int64 {
        let (location, length) = try value.validParts()
        return Int64(measure(location, length))
    }

    /// The start of the range.
    public static var location: Self { Self { location, _ in location } }
    /// The number of elements.
    public static var length: Self { Self { _, length in length } }
    /// The first number after the range.
    public static var end: Self { Self { location, length in location + length } }
}
