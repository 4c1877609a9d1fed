import Foundation

/// What is counted.
enum Clock: String, Codable {
    /// Wall-clock time.
    case wall = "wall time"
    /// Time that processors spend on this process: the fairer figure on a busy machine.
    case processor = "processor time"

    /// Nanoseconds since an arbitrary point in time.
    func now() -> Double {
        var time = timespec()
        clock_gettime(self == .wall ? CLOCK_MONOTONIC : CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
    }
}
