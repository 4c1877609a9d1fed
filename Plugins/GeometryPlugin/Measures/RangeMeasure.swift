public import Transformable

/// One end of a range, or its length, for conditions and indexes.
public struct RangeMeasure<Value: IntegerRange>: OneWayTransformer {
    private let measure: @Sendable (_ location: Int, _ length: Int) -> Int

    private init(_ measure: @escaping @Sendable (_ location: Int, _ length: Int) -> Int) {
        self.measure = measure
    }

    /// Equal values have equal measures, and these compare as numbers.
    public var traits: TransformerTraits { [.deterministic, .canonical, .ordered] }

    /// Measures the range.
    public func encode(_ value: Value, in context: TransformContext) throws(TransformerError) -> Int64 {
        let (location, length) = try value.validParts()
        return Int64(measure(location, length))
    }

    /// Where the range starts.
    public static var location: Self { Self { location, _ in location } }
    /// How many numbers it has.
    public static var length: Self { Self { _, length in length } }
    /// The first number behind it.
    public static var end: Self { Self { location, length in location + length } }
}
