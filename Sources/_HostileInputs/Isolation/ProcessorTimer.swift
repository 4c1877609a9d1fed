internal import Glibc

/// A timer that ends this process with `SIGPROF` after an amount of processor time.
enum ProcessorTimer {
    /// Restarts the timer, or stops it if the time is zero.
    static func start(_ time: Duration) {
        let (seconds, attoseconds) = time.components
        let microseconds = attoseconds / 1_000_000_000_000
        var timer = itimerval(
            it_interval: timeval(),
            it_value: timeval(tv_sec: Int(seconds), tv_usec: Int(microseconds))
        )
        _ = unsafe setitimer(__itimer_which_t(UInt32(ITIMER_PROF.rawValue)), &timer, nil)
    }
}
