public import Transformable

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
    var perSecond: Int64 {
        switch self {
        case .seconds: 1
        case .milliseconds: 1000
        case .microseconds: 1_000_000
        case .nanoseconds: 1_000_000_000
        }
    }
}
