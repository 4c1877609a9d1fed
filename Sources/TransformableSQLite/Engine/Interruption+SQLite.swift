internal import GRDB
internal import GRDBSQLite
internal import Glibc
internal import TransformableStore

extension Interruption {
    /// Returns the error to throw for a result code of SQLite.
    static func error(sqlite code: Int32, message: String, path: String?) -> any Error {
        let codes = [SQLITE_INTERRUPT, SQLITE_BUSY, SQLITE_ABORT]
        if codes.contains(code & 0xFF), isRequested { return CancellationError() }
        return StoreError(sqlite: code, message: message, path: path)
    }

    // In milliseconds, like those of SQLite's own handler.
    private static let delays = [1, 2, 5, 10, 15, 20, 25, 25, 25, 50, 50, 100]

    /// Waits for another connection's lock as SQLite does, but only until the task is canceled.
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
