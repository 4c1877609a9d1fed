internal import Foundation
internal import Synchronization
internal import TransformableStore

/// What is being made, so that an interruption leaves nothing of it behind.
final class TemporaryFiles: Sendable {
    private let paths = Mutex<Set<String>>([])

    /// Has files removed if the process is interrupted while a body makes them.
    ///
    /// - Parameters:
    ///   - path: The file; one that is there already is left alone, and the body refuses it.
    ///   - suffixes: What is added to its name for it and the files beside it.
    ///   - body: Makes the files, and removes them if it fails.
    /// - Throws: What the body throws.
    func whileMaking(_ path: String, suffixes: [String], _ body: () throws -> Void) rethrows {
        guard access(path, F_OK) != 0 else { return try body() }
        let made = suffixes.map { path + $0 }
        paths.withLock { $0.formUnion(made) }
        defer { paths.withLock { $0.subtract(made) } }
        try body()
    }

    /// Removes everything, and lets nobody make more: the lock is kept while the process ends.
    ///
    /// - Parameters:
    ///   - signal: What interrupts the process, whose exit status is 128 more.
    ///   - messages: Where a line about it goes.
    func removeAllAndExit(at signal: Int32, telling messages: Int32) -> Never {
        paths.withLock { paths in
            for path in paths where unlink(path) != 0 { WorkingFolder.remove(path) }
            let outcome = paths.isEmpty ? "" : "; what it had not finished was removed"
            tell("error: interrupted by \(name(of: signal))\(outcome)\n", messages)
            _exit(128 + signal)
        }
    }

    private func name(of signal: Int32) -> String {
        [SIGINT: "SIGINT", SIGTERM: "SIGTERM", SIGHUP: "SIGHUP"][signal] ?? "signal \(signal)"
    }

    /// Writes a line unless that would keep the process from ending.
    private func tell(_ line: String, _ descriptor: Int32) {
        var poll = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        guard Glibc.poll(&poll, 1, 0) == 1 else { return }
        try? writeAll(Data(line.utf8), to: descriptor, name: "standard error")
    }
}

extension TemporaryFiles: InterruptionWatch {
    func insert(_ path: String, _ make: () -> Bool) -> Bool {
        paths.withLock { paths in
            guard make() else { return false }
            paths.insert(path)
            return true
        }
    }

    func forget(_ path: String) {
        _ = paths.withLock { $0.remove(path) }
    }

    func withoutInterruption<Result>(_ body: () throws -> Result) rethrows -> Result {
        try paths.withLock { _ in try body() }
    }
}
