public import Foundation
internal import Transformable

#if canImport(Glibc)
internal import Glibc
#else
internal import Musl
#endif

// The system function, because a method has the same name.
private let systemRead = unsafe read

/// The source of a passphrase.
///
/// It is never an argument, because every user of the machine can see arguments.
public enum PassphraseSource: Sendable {
    /// The terminal of this process, without echo.
    case terminal(prompt: String)
    /// The first line of a file that only its owner can access.
    case file(URL)
    /// The first line of an open file descriptor, which stays open.
    case descriptor(Int32)

    /// The maximum length of a passphrase, in bytes.
    private static let limit = 4096
    /// The byte of Control-C.
    private static let interrupt: UInt8 = 3

    /// Reads the passphrase into locked memory, without the newline.
    ///
    /// - Returns: The passphrase.
    /// - Throws: `TransformerError` with the code `passphrase-needed` if the passphrase is empty or there is no
    ///   terminal, `unreadable-key-file` if the file or the descriptor cannot be read, or `refused-key-file` if other
    ///   users can access the file. `CancellationError` if the user presses Control-C at the terminal.
    public func read() throws -> SecureBytes {
        switch self {
        case .file(let url): try Self.line(ofFile: PrivateFile(path: url.path, role: .passphrase))
        case .descriptor(let descriptor):
            try Self.line(from: descriptor, ifEmpty: "the first line of file descriptor \(descriptor) is empty")
        case .terminal(let prompt): try Self.ask(prompt)
        }
    }

    private static func line(ofFile file: PrivateFile) throws -> SecureBytes {
        try line(of: file.read(), ifEmpty: "the first line of the passphrase file “\(file.path)” is empty")
    }

    private static func line(of text: SecureBytes, ifEmpty fault: String) throws -> SecureBytes {
        try unsafe text.withUnsafeBytes { text in
            var line = unsafe text.prefix { $0 != UInt8(ascii: "\n") }
            if unsafe line.last == UInt8(ascii: "\r") { unsafe line.removeLast() }
            guard unsafe !line.isEmpty else { throw TransformerError(.passphraseNeeded, fault) }
            return try unsafe SecureBytes(count: line.count) { unsafe $0.copyMemory(from: .init(rebasing: line)) }
        }
    }

    /// Reads byte by byte, so that nothing after the line is consumed.
    private static func line(
        from descriptor: Int32,
        ifEmpty fault: String,
        endingAt interrupt: UInt8? = nil
    ) throws -> SecureBytes {
        var count = 0
        let buffer = try unsafe SecureBytes(count: limit) { buffer in
            while count < buffer.count {
                let place = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[count...])
                let got = unsafe systemRead(descriptor, place.baseAddress, 1)
                if got < 0, errno == EINTR { continue }
                // What was read so far is only a part of the passphrase.
                guard got >= 0 else { throw TransformerError.unreadablePassphrase(descriptor, errno) }
                guard got == 1, unsafe place[0] != UInt8(ascii: "\n") else { break }
                guard unsafe place[0] != interrupt else { throw CancellationError() }
                count += 1
            }
        }
        guard count > 0 else { throw TransformerError(.passphraseNeeded, fault) }
        guard count < limit else {
            throw TransformerError.limitExceeded("the passphrase must be shorter than \(limit) bytes")
        }
        return try unsafe line(
            of: SecureBytes(count: count) { output in
                unsafe buffer.withUnsafeBytes { unsafe output.copyMemory(from: .init(rebasing: $0.prefix(count))) }
            },
            ifEmpty: fault
        )
    }

    /// Asks at the terminal, even if standard input and output are redirected.
    ///
    /// Signals from the keyboard are disabled in the meantime, because a process that they end would leave the terminal
    /// without echo. Control-C cancels the input instead.
    private static func ask(_ prompt: String) throws -> SecureBytes {
        let terminal = unsafe open("/dev/tty", O_RDWR | O_CLOEXEC)
        guard terminal >= 0 else { throw TransformerError.passphraseNeeded }
        defer { close(terminal) }
        var saved = termios()
        guard unsafe tcgetattr(terminal, &saved) == 0 else { throw TransformerError.passphraseNeeded }
        var silent = saved
        silent.c_lflag &= ~tcflag_t(ECHO | ISIG)
        // The terminal keeps what is typed until the line ends, so Control-C must end it.
        unsafe withUnsafeMutableBytes(of: &silent.c_cc) { unsafe $0[Int(VEOL)] = interrupt }
        guard unsafe tcsetattr(terminal, TCSAFLUSH, &silent) == 0 else { throw TransformerError.passphraseNeeded }
        defer {
            unsafe tcsetattr(terminal, TCSAFLUSH, &saved)
            _ = unsafe write(terminal, "\n", 1)
        }
        _ = unsafe write(terminal, prompt, prompt.utf8.count)
        return try line(from: terminal, ifEmpty: "no passphrase was entered", endingAt: interrupt)
    }
}
