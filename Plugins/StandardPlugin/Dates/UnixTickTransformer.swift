public import Foundation
public import Transformable

/// A date as the time since 1970, a whole number of seconds or parts of one.
///
/// As an attribute: `unix-time(unit: milliseconds, form: integer) | int64`.
public struct UnixTickTransformer: Transformer {
    /// What is counted.
    public let unit: TimeUnit

    /// Makes a transformer of times since 1970.
    ///
    /// - Parameter unit: What is counted.
    public init(unit: TimeUnit = .seconds) {
        self.unit = unit
    }

    /// Ordered, a later date never gets a smaller number; lossy, since it is rounded to the nearest, halves up.
    public var traits: TransformerTraits { [.deterministic, .canonical, .ordered, .lossy] }

    /// Ticks from 1970 to the date that `Date` counts from.
    private var ticksTo2001: Int64 { Int64(Date.timeIntervalBetween1970AndReferenceDate) * unit.perSecond }

    /// The time since 1970.
    public func encode(_ value: Date, in context: TransformContext) throws(TransformerError) -> Int64 {
        let time = value.timeIntervalSinceReferenceDate * Double(unit.perSecond)
        let floor = time.rounded(.down)
        guard let ticks = Int64(exactly: time - floor < 0.5 ? floor : floor + 1) else { throw outOfRange }
        let (sum, overflow) = ticks.addingReportingOverflow(ticksTo2001)
        guard !overflow else { throw outOfRange }
        return sum
    }

    /// The date of a time since 1970.
    public func decode(_ encoded: Int64, in context: TransformContext) throws(TransformerError) -> Date {
        let (ticks, overflow) = encoded.subtractingReportingOverflow(ticksTo2001)
        let date = Date(timeIntervalSinceReferenceDate: Double(ticks) / Double(unit.perSecond))
        // At the ends of the range the nearest date may have no number any more.
        guard !overflow, (try? encode(date, in: context)) != nil else {
            throw .invalidData("the time is too far away for a date")
        }
        return date
    }

    private var outOfRange: TransformerError {
        .invalidValue("64 bits do not hold the date in \(unit.rawValue) since 1970")
    }
}
