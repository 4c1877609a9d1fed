public import Foundation
public import Transformable

/// A transformer that converts dates to the time since 1970, as a number with a fraction.
///
/// A double represents a current time since 1970 with a precision of a quarter of a microsecond,
/// which is coarser than that of the date itself. To represent dates exactly, use
/// ``ReferenceTimeTransformer``. For an attribute, use `unix-time | double`.
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

/// A transformer that converts dates to an integral number of seconds, or other units, since 1970.
///
/// For an attribute, use `unix-time(unit: milliseconds, form: integer) | int64`.
public struct UnixTickTransformer: Transformer {
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
    /// It is ordered, because a later date never has a smaller number. It is lossy, because numbers are rounded to the
    /// nearest integer, and halves are rounded up.
    public var traits: TransformerTraits { [.deterministic, .canonical, .ordered, .lossy] }

    /// The number of units from 1970 to the reference date of `Date`.
    private var ticksTo2001: Int64 { Int64(Date.timeIntervalBetween1970AndReferenceDate) * unit.perSecond }

    /// Returns the time since 1970.
    public func encode(_ value: Date, in context: TransformContext) throws(TransformerError) -> Int64 {
        let time = value.timeIntervalSinceReferenceDate * Double(unit.perSecond)
        let floor = time.rounded(.down)
        guard let ticks = Int64(exactly: time - floor < 0.5 ? floor : floor + 1) else { throw outOfRange }
        let (sum, overflow) = ticks.addingReportingOverflow(ticksTo2001)
        guard !overflow else { throw outOfRange }
        return sum
    }

    /// Returns the date for a time since 1970.
    public func decode(_ encoded: Int64, in context: TransformContext) throws(TransformerError) -> Date {
        let (ticks, overflow) = encoded.subtractingReportingOverflow(ticksTo2001)
        let date = Date(timeIntervalSinceReferenceDate: Double(ticks) / Double(unit.perSecond))
        // At the ends of the range, the nearest date may not have a number.
        guard !overflow, (try? encode(date, in: context)) != nil else {
            throw .invalidData("the time is out of range for a date")
        }
        return date
    }

    private var outOfRange: TransformerError {
        .invalidValue("the date in \(unit.rawValue) since 1970 does not fit in 64 bits")
    }
}

/// The unit of a time.
public enum TimeUnit: String, CaseIterable, Sendable, ArgumentConvertible {
    /// Seconds.
    case seconds
    /// Milliseconds, as in Java and JavaScript.
    case milliseconds
    /// Microseconds.
    case microseconds
    /// Nanoseconds.
    case nanoseconds

    /// The number of units in a second.
    fileprivate var perSecond: Int64 {
        switch self {
        case .seconds: 1
        case .milliseconds: 1000
        case .microseconds: 1_000_000
        case .nanoseconds: 1_000_000_000
        }
    }
}

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
