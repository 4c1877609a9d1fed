internal import GRDB
internal import GRDBSQLite
internal import Glibc

/// Whether statements end when the task that runs them is cancelled.
///
/// They do in reads and writes that are awaited. What a program does without awaiting it, such as cleaning up in a task that
/// was cancelled, runs to its end.
enum Interruption {
    @TaskLocal static var isHeeded = false
    /// Whether a lock that somebody else holds is not waited for.
    @TaskLocal static var isImpatient = false

    /// Whether what runs now is to end.
    static var isRequested: Bool { isHeeded && Task.isCancelled }

    /// Runs statements that set things right again, whatever becomes of the task.
    static func ignored<Result>(_ body: () throws -> Result) rethrows -> Result {
        try $isHeeded.withValue(false, operation: body)
    }

    /// What to throw for a result code of SQLite.
    static func error(sqlite code: Int32, message: String) -> any Error {
        let codes = [SQLITE_INTERRUPT, SQLITE_BUSY, SQLITE_ABORT]
        if codes.contains(code & 0xFF), isRequested { return CancellationError() }
        return StoreError(sqlite: code, message: message)
    }

    // Milliseconds, as SQLite's own handler waits.
    private static let delays = [1, 2, 5, 10, 15, 20, 25, 25, 25, 50, 50, 100]

    /// Waits for a lock that somebody else holds as SQLite does, but no longer than until the task is cancelled.
    static func busyMode(_ seconds: Double) -> Database.BusyMode {
        let limit = seconds < 1e9 ? Int(max(0, seconds) * 1000) : .max
        return .callback { tries in
            guard !isImpatient, !isRequested else { return false }
            let waited = delays.prefix(tries).reduce(0, +) + max(0, tries - delays.count) * (delays.last ?? 0)
            let delay = min(tries < delays.count ? delays[tries] : delays.last ?? 0, limit - waited)
            guard delay > 0 else { return false }
            usleep(UInt32(delay) * 1000)
            return true
        }
    }
}
