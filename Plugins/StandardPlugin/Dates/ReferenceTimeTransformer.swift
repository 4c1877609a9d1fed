public import Foundation
public import Transformable

/// A transformer that converts dates to seconds since January 1, 2001, which is the exact value of a `Date`.
///
/// For an attribute, use `reference-time | double`.
public struct ReferenceTimeTransformer: Transformer {
    /// Creates the transformer.
    public init() {}

    /// The traits of the transformer.
    ///
    /// It is not canonical, because 0 and −0 seconds are the same date, but keep their bits.
    public var traits: TransformerTraits { [.deterministic, .ordered] }

    /// Returns the seconds since 2001.
    public func encode(_ value: Date, in context: TransformContext) throws(TransformerError) -> Double {
        let time = value.timeIntervalSinceReferenceDate
        guard !time.isNaN else { throw .invalidValue("the date is not a valid time") }
        return time
    }

    /// Returns the date for a number of seconds since 2001.
    public func decode(_ encoded: Double, in context: TransformContext) throws(TransformerError) -> Date {
        guard !encoded.isNaN else { throw .invalidData("NaN is not a valid time") }
        return Date(timeIntervalSinceReferenceDate: encoded)
    }
}
