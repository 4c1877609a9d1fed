public import Foundation
public import Transformable

/// A date as the time since 1970, a number with a fraction.
///
/// A double holds a present time since 1970 to a quarter of a microsecond, which is coarser than the
/// date itself: for the same bits use ``ReferenceTimeTransformer``. As an attribute: `unix-time | double`.
public struct UnixTimeTransformer: Transformer {
    /// What is counted.
    public let unit: TimeUnit

    /// Makes a transformer of times since 1970.
    ///
    /// - Parameter unit: What is counted.
    public init(unit: TimeUnit = .seconds) {
        self.unit = unit
    }

    /// Ordered: a later date never gets a smaller number.
    public var traits: TransformerTraits { [.deterministic, .ordered, .lossy] }

    /// The time since 1970.
    public func encode(_ value: Date, in context: TransformContext) throws(TransformerError) -> Double {
        let time = value.timeIntervalSince1970 * Double(unit.perSecond)
        guard time.isFinite else { throw .invalidValue("the date is no finite time") }
        return time
    }

    /// The date of a time since 1970.
    public func decode(_ encoded: Double, in context: TransformContext) throws(TransformerError) -> Date {
        let date = Date(timeIntervalSince1970: encoded / Double(unit.perSecond))
        guard encoded.isFinite, (try? encode(date, in: context)) != nil else {
            throw .invalidData("\(encoded) is no time")
        }
        return date
    }
}
