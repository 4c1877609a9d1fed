public import Foundation
public import Transformable

/// A date as the seconds since 1 January 2001, bit for bit what `Date` holds.
///
/// As an attribute: `reference-time | double`.
public struct ReferenceTimeTransformer: Transformer {
    /// Makes the transformer.
    public init() {}

    /// Not canonical: 0 and −0 seconds are the same date, and each keeps its bits.
    public var traits: TransformerTraits { [.deterministic, .ordered] }

    /// The seconds since 2001.
    public func encode(_ value: Date, in context: TransformContext) throws(TransformerError) -> Double {
        let time = value.timeIntervalSinceReferenceDate
        guard !time.isNaN else { throw .invalidValue("the date is no time") }
        return time
    }

    /// The date of seconds since 2001.
    public func decode(_ encoded: Double, in context: TransformContext) throws(TransformerError) -> Date {
        guard !encoded.isNaN else { throw .invalidData("NaN is no time") }
        return Date(timeIntervalSinceReferenceDate: encoded)
    }
}
