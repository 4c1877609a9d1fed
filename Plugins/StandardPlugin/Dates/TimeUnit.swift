public import Transformable

/// What a time counts.
public enum TimeUnit: String, CaseIterable, Sendable, ArgumentConvertible {
    /// Seconds.
    case seconds
    /// Thousandths of a second, as in Java and JavaScript.
    case milliseconds
    /// Millionths of a second.
    case microseconds
    /// Thousand-millionths of a second.
    case nanoseconds

    /// How many there are in a second.
    var perSecond: Int64 {
        switch self {
        case .seconds: 1
        case .milliseconds: 1000
        case .microseconds: 1_000_000
        case .nanoseconds: 1_000_000_000
        }
    }
}
