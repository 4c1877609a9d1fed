internal import Foundation

/// Ends the process cleanly when a person or the system interrupts it.
enum SignalWatch {
    private static let watched = [SIGINT, SIGTERM, SIGHUP]

    /// Waits for signals on a thread of its own; the status is 128 and the signal's number.
    ///
    /// Must be called before any other thread is made, since threads inherit the mask. A signal that
    /// the parent has switched off (as `nohup` does) stays so.
    ///
    /// - Parameters:
    ///   - temporaryFiles: What is removed first.
    ///   - messages: Where a line about it goes.
    static func start(removing temporaryFiles: TemporaryFiles, telling messages: Int32) {
        // A file beyond the process's limit, and a reader that went away, are then errors like a full disk, not
        // ends without cleaning up.
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
        // SIG_IGN is no function but the number 1, and Swift does not import the macro.
        return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == 1
    }
}
