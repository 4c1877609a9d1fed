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

    /// Has files removed if the process is interrupted while a body makes them.
    ///
    /// - Parameters:
    ///   - path: The file; one that is there already is left alone, and the body refuses it.
    ///   - suffixes: What is added to its name for it and the files beside it.
    ///   - body: Makes the files, and removes them if it fails.
    /// - Throws: What the body throws.
    func whileMaking(_ path: String, suffixes: [String], _ body: () throws -> Void) rethrows {
        guard access(path, F_OK) != 0 else { return try body() }
        for suffix in suffixes { insert(path + suffix) }
        defer { for suffix in suffixes { forget(path + suffix) } }
        try body()
    }

    /// Lets an interruption wait until a body has ended.
    ///
    /// - Parameter body: Replaces a file in one go; it must not use this object.
    /// - Returns: What the body returns.
    /// - Throws: What the body throws.
    func withoutInterruption<Result>(_ body: () throws -> Result) rethrows -> Result {
        try paths.withLock { _ in try body() }
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
