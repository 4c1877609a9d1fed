internal import Foundation
internal import Synchronization
internal import TransformableStore

/// The folders of unfinished files, and the settings of a terminal without echo.
///
/// If the process is interrupted, the folders are removed and the settings are restored.
final class TemporaryFiles: Sendable {
    private let paths = Mutex<Set<String>>([])
    private let terminal = Mutex<TerminalSettings?>(nil)

    /// Restores the terminal's settings if the process is interrupted while the body asks without echo.
    func whileAsking<Result>(_ body: () throws -> Result) rethrows -> Result {
        terminal.withLock { $0 = TerminalSettings() }
        defer { terminal.withLock { $0 = nil } }
        return try body()
    }

    /// Removes all folders and ends the process.
    ///
    /// The lock is held to the end, so that no more folders are created.
    ///
    /// - Parameters:
    ///   - signal: The signal that interrupted the process. The exit status is 128 plus its number.
    ///   - messages: The descriptor to report the interruption to.
    fileprivate func removeAllAndExit(at signal: Int32, telling messages: Int32) -> Never {
        paths.withLock { paths in
            for path in paths { WorkingFolder.remove(path) }
            terminal.withLock { $0?.restore() }
            let outcome = paths.isEmpty ? "" : "; unfinished files were removed"
            tell("error: interrupted by \(name(of: signal))\(outcome)\n", messages)
            _exit(128 + signal)
        }
    }

    private func name(of signal: Int32) -> String {
        [SIGINT: "SIGINT", SIGTERM: "SIGTERM", SIGHUP: "SIGHUP"][signal] ?? "signal \(signal)"
    }

    /// Writes a line, unless writing would block.
    private func tell(_ line: String, _ descriptor: Int32) {
        var poll = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        guard Glibc.poll(&poll, 1, 0) == 1 else { return }
        try? writeAll(Data(line.utf8), to: descriptor, name: "standard error")
    }
}

extension TemporaryFiles: WorkingFolderWatch {
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

/// The settings of this process's terminal at one moment.
private struct TerminalSettings: Sendable {
    private let settings: termios

    /// Reads the settings, or returns nil if there is no terminal.
    init?() {
        guard let terminal = SystemFile("/dev/tty", O_RDWR) else { return nil }
        var settings = termios()
        guard tcgetattr(terminal.descriptor, &settings) == 0 else { return nil }
        self.settings = settings
    }

    /// Restores the settings, and discards what was typed, so that a shell does not take it for a command.
    func restore() {
        // The kernel would stop a process that does this in the background.
        signal(SIGTTOU, SIG_IGN)
        guard let terminal = SystemFile("/dev/tty", O_RDWR) else { return }
        var settings = settings
        tcflush(terminal.descriptor, TCIFLUSH)
        tcsetattr(terminal.descriptor, TCSANOW, &settings)
    }
}

/// Ends the process cleanly when it receives a signal.
enum SignalWatch {
    private static let watched = [SIGINT, SIGTERM, SIGHUP]

    /// Waits for signals on a dedicated thread.
    ///
    /// The exit status is 128 plus the signal's number.
    ///
    /// Call this before any other thread is created, because threads inherit the signal mask. A signal that the parent
    /// process ignores (as `nohup` arranges) stays ignored.
    ///
    /// - Parameters:
    ///   - temporaryFiles: The files to remove before the process ends.
    ///   - messages: The descriptor to report the interruption to.
    static func start(removing temporaryFiles: TemporaryFiles, telling messages: Int32) {
        // With these signals ignored, exceeding the file size limit or losing the reader becomes an error, like a full
        // disk, instead of ending the process before it can clean up.
        signal(SIGXFSZ, SIG_IGN)
        signal(SIGPIPE, SIG_IGN)
        let signals = watched.filter { !isIgnored($0) }
        guard !signals.isEmpty else { return }
        var blocked = set(of: signals)
        pthread_sigmask(SIG_BLOCK, &blocked, nil)
        Thread.detachNewThread {
            var signals = set(of: signals)
            var signal: Int32 = 0
            guard sigwait(&signals, &signal) == 0 else { return }
            temporaryFiles.removeAllAndExit(at: signal, telling: messages)
        }
    }

    private static func set(of signals: [Int32]) -> sigset_t {
        var set = sigset_t()
        sigemptyset(&set)
        for signal in signals { sigaddset(&set, signal) }
        return set
    }

    private static func isIgnored(_ signal: Int32) -> Bool {
        var action = sigaction()
        guard sigaction(signal, nil, &action) == 0 else { return false }
        // SIG_IGN is the number 1 cast to a function pointer. Swift does not import the macro.
        return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == 1
    }
}
