public import Foundation
public import Transformable

/// A transformer that converts dates to the time since 1970, as a number with a fraction.
///
/// A double represents a current time since 1970 with a precision of a quarter of a microsecond, which is less than
/// that of the date itself. To represent dates exactly, use ``ReferenceTimeTransformer``. For an attribute, use
/// `unix-time | double`.
public struct UnixTimeTransformer: Transformer {
    /// The unit of time.
    public let unit: TimeUnit

    /// Creates a transformer.
    ///
    /// - Parameter unit: The unit of time.
    public init(unit: TimeUnit = .seconds) {
        self.unit = unit
    }

    /// The traits of the transformer.
    ///
    /// It is ordered, because a later date never has a smaller number.
    public var traits: TransformerTraits { [.deterministic, .ordered, .lossy] }

    /// Returns the time since 1970.
    public func encode(_ value: Date, in context: TransformContext) throws(TransformerError) -> Double {
        let time = value.timeIntervalSince1970 * Double(unit.perSecond)
        guard time.isFinite else { throw .invalidValue("the date is not a finite time") }
        return time
    }

    /// Returns the date for a time since 1970.
    public func decode(_ encoded: Double, in context: TransformContext) throws(TransformerError) -> Date {
        let date = Date(timeIntervalSince1970: encoded / Double(unit.perSecond))
        guard encoded.isFinite, (try? encode(date, in: context)) != nil else {
            throw .invalidData("\(encoded) is not a valid time")
        }
        return date
    }
}
