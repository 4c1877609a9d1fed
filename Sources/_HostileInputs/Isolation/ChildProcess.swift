internal import Foundation
internal import Glibc

/// A copy of this process that runs a function within limits, and exits.
///
/// The child has a single thread, the one that forked. Whatever other threads of the parent had locked stays
/// locked in the child. A child that waits for such a lock is ended by the caller and can be retried.
public struct ChildProcess: Sendable {
    private let identifier: pid_t
    private let errors: Int32

    /// Forks a child that runs a closure.
    ///
    /// - Parameters:
    ///   - memory: The number of bytes that the child can allocate in addition to the memory of this process.
    ///   - body: The closure that the child runs. The child then exits without cleaning up.
    /// - Throws: ``IsolationError`` if a child process cannot be created.
    public init(memory: Int, _ body: () -> Void) throws(IsolationError) {
        errors = Self.makeTemporaryFile()
        identifier = fork()
        guard identifier >= 0 else { throw IsolationError("cannot fork", errno: errno) }
        guard identifier == 0 else { return }
        Self.becomeChild(memory: memory, errors: errors)
        body()
        _exit(0)
    }

    /// Creates a file without a name, or returns -1 if that is impossible.
    ///
    /// Then the child's output is lost.
    private static func makeTemporaryFile() -> Int32 {
        guard let file = unsafe tmpfile() else { return -1 }
        defer { unsafe fclose(file) }
        return unsafe dup(fileno(file))
    }

    private static func becomeChild(memory: Int, errors: Int32) {
        // Crashes are expected here, so there is no backtrace and no core file, and the output becomes part of the report.
        for signal in [SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV, SIGPROF, SIGQUIT, SIGINT, SIGTERM] {
            _ = Glibc.signal(signal, SIG_DFL)
        }
        if errors >= 0 {
            _ = dup2(errors, STDERR_FILENO)
        }
        closeFiles()
        ThrowObservers.remove()
        // Code under test may call exit(), which must not run the exit handlers of the parent.
        unsafe on_exit({ status, _ in _exit(status) }, nil)
        limit(RLIMIT_CORE, to: 0)
        limit(RLIMIT_DATA, to: ProcessMemory.data + memory)
    }

    /// Closes the parent's open files, because a child with a pipe or a lock would keep others waiting.
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

    /// Returns how the child ended, or nil if it is still running.
    ///
    /// Call this method until it returns a result.
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

    /// Kills the child, as ``poll()`` then reports.
    public func kill() {
        _ = Glibc.kill(identifier, SIGKILL)
    }

    /// Returns the end of the child's output to standard error, which is then closed.
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
    /// The signal that ended it, or nil if it exited.
    public let signal: Int32?
    /// The exit status, or 0 if a signal ended it.
    public let exitCode: Int32
    /// The end of its output to standard error.
    public let message: String
}

/// The functions that observe errors as they are thrown.
private enum ThrowObservers {
    /// The runtime's hooks, which Swift Testing sets.
    private static let hooks = ["_swift_willThrow", "_swift_willThrowTypedImpl"]

    /// Removes the observers from this process.
    ///
    /// Swift Testing records a backtrace for every error that is thrown. Internally, the standard library throws one
    /// for each invalid byte of text, so a megabyte of them would take a minute and look like a slow decoder.
    static func remove() {
        for hook in hooks {
            // Each hook is a pointer or null. Only the single thread of a new child calls this.
            guard let address = unsafe dlsym(nil, hook) else { continue }
            unsafe address.storeBytes(of: nil, as: UnsafeRawPointer?.self)
        }
    }
}

/// The memory of this process, according to the kernel.
private enum ProcessMemory {
    /// The number of bytes that `RLIMIT_DATA` counts, which are private and writable (proc(5), `VmData`).
    static var data: Int {
        let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmData:") } ?? ""
        return (Int(line.filter(\.isNumber)) ?? 0) * 1024
    }
}
