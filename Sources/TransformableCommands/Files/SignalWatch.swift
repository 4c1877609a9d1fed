internal import Foundation

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
