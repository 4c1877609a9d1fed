internal import Foundation

/// The settings of this process's terminal at one moment.
struct TerminalSettings: Sendable {
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
