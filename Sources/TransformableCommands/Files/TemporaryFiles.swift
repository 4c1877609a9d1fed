internal import Foundation
internal import Synchronization

/// The files that are being written, so that an interruption leaves none of them behind.
final class TemporaryFiles: Sendable {
    private let paths = Mutex<Set<String>>([])

    /// Remembers a file that is about to be made.
    func insert(_ path: String) {
        _ = paths.withLock { $0.insert(path) }
    }

    /// Forgets a file that has its final name.
    func forget(_ path: String) {
        _ = paths.withLock { $0.remove(path) }
    }

    /// Removes a file that is not wanted.
    func remove(_ path: String) {
        paths.withLock { paths in
            unlink(path)
            paths.remove(path)
        }
    }

    /// Removes all files, and lets nobody make another one: the lock is kept while the process ends.
    ///
    /// - Parameter status: The process's exit status.
    func removeAllAndExit(_ status: Int32) -> Never {
        paths.withLock { paths in
            for path in paths { unlink(path) }
            _exit(status)
        }
    }
}
