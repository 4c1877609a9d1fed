internal import Foundation
internal import Glibc

/// A copy of this process that runs one function, with limits, and ends.
///
/// The child has one thread: the one that forked. What other threads of the parent held locked stays
/// locked in the child; a child that waits for such a lock is ended by the caller and may be retried.
public struct ChildProcess: Sendable {
    private let identifier: pid_t
    private let errors: Int32

    /// Forks a child that runs a function.
    ///
    /// - Parameters:
    ///   - memory: How many bytes the child may take beyond what this process has.
    ///   - body: What the child does; it then exits without cleaning up.
    /// - Throws: ``IsolationError`` if there can be no child.
    public init(memory: Int, _ body: () -> Void) throws(IsolationError) {
        errors = Self.makeTemporaryFile()
        identifier = fork()
        guard identifier >= 0 else { throw IsolationError("cannot fork", errno: errno) }
        guard identifier == 0 else { return }
        Self.becomeChild(memory: memory, errors: errors)
        body()
        _exit(0)
    }

    /// A file without a name; -1 where there can be none, and the child's last words are lost.
    private static func makeTemporaryFile() -> Int32 {
        guard let file = unsafe tmpfile() else { return -1 }
        defer { unsafe fclose(file) }
        return unsafe dup(fileno(file))
    }

    private static func becomeChild(memory: Int, errors: Int32) {
        // A death is expected here: no backtrace, no core, and what is printed belongs to the report.
        for signal in [SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV, SIGPROF, SIGQUIT, SIGINT, SIGTERM] {
            _ = Glibc.signal(signal, SIG_DFL)
        }
        if errors >= 0 {
            _ = dup2(errors, STDERR_FILENO)
        }
        closeFiles()
        ThrowObservers.remove()
        // Code under test may call exit(); what the parent registered for its own exit must not run then.
        unsafe on_exit({ status, _ in _exit(status) }, nil)
        limit(RLIMIT_CORE, to: 0)
        limit(RLIMIT_DATA, to: ProcessMemory.data + memory)
    }

    /// Closes what the parent has open: a child that held a pipe or a lock would keep others waiting.
    private static func closeFiles() {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
        for descriptor in names.compactMap({ Int32($0) }) where descriptor > STDERR_FILENO {
            close(descriptor)
        }
    }

    private static func limit(_ resource: __rlimit_resource, to value: Int) {
        var limit = rlimit(rlim_cur: rlim_t(value), rlim_max: rlim_t(value))
        _ = unsafe setrlimit(__rlimit_resource_t(resource.rawValue), &limit)
    }

    /// How the child ended; nil while it runs.
    ///
    /// To be asked until it answers.
    public func poll() -> ChildEnding? {
        var status: Int32 = 0
        guard unsafe waitpid(identifier, &status, WNOHANG) == identifier else { return nil }
        let signal = status & 0x7F
        return ChildEnding(
            signal: signal == 0 ? nil : signal,
            exitCode: status >> 8 & 0xFF,
            message: takeMessage()
        )
    }

    /// Ends the child; ``poll()`` then says so.
    public func kill() {
        _ = Glibc.kill(identifier, SIGKILL)
    }

    /// The end of what the child printed on its standard error, which is then closed.
    private func takeMessage() -> String {
        guard errors >= 0 else { return "" }
        defer { close(errors) }
        let capacity = 4096
        let start = max(0, lseek(errors, 0, SEEK_END) - capacity)
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: capacity) { buffer, count in
            unsafe count = max(0, pread(errors, buffer.baseAddress, capacity, start))
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

/// How a child process ended.
public struct ChildEnding: Sendable {
    /// The signal that ended it; nil if it exited.
    public let signal: Int32?
    /// The status it exited with; 0 if a signal ended it.
    public let exitCode: Int32
    /// The end of what it printed on its standard error.
    public let message: String
}
