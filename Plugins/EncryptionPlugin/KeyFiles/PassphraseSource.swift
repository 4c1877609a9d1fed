public import Foundation
internal import Transformable

#if canImport(Glibc)
internal import Glibc
#else
internal import Musl
#endif

// The system's function, where a method has its name.
private let systemRead = unsafe read

/// Where a passphrase is read from; never an argument, which every user of the machine can see.
public enum PassphraseSource: Sendable {
    /// The terminal of this process, without showing what is typed.
    case terminal(prompt: String)
    /// The first line of a file that only its owner can use.
    case file(URL)
    /// The first line of an open file descriptor, which stays open.
    case descriptor(Int32)

    /// The longest passphrase, in bytes.
    private static let limit = 4096

    /// Reads the passphrase into locked memory, without the end of its line.
    ///
    /// - Returns: The passphrase.
    /// - Throws: `TransformerError` with `passphrase-needed` if the passphrase is missing, or there is no terminal to ask at,
    ///   `unreadable-key-file` or `refused-key-file`.
    public func read() throws -> SecureBytes {
        switch self {
        case .file(let url): try Self.line(ofFile: PrivateFile(path: url.path, role: .passphrase))
        case .descriptor(let descriptor): try Self.line(from: descriptor)
        case .terminal(let prompt): try Self.ask(prompt)
        }
    }

    private static func line(ofFile file: PrivateFile) throws -> SecureBytes {
        let text = try file.read()
        guard let line = try? line(of: text) else {
            throw TransformerError(
                .passphraseNeeded,
                "the passphrase file “\(file.path)” has no passphrase in its first line"
            )
        }
        return line
    }

    private static func line(of text: SecureBytes) throws -> SecureBytes {
        try unsafe text.withUnsafeBytes { text in
            var line = unsafe text.prefix { $0 != UInt8(ascii: "\n") }
            if unsafe line.last == UInt8(ascii: "\r") { unsafe line.removeLast() }
            guard unsafe !line.isEmpty else { throw TransformerError.passphraseNeeded }
            return try unsafe SecureBytes(count: line.count) { unsafe $0.copyMemory(from: .init(rebasing: line)) }
        }
    }

    /// Reads byte by byte, so that nothing beyond the line is taken.
    private static func line(from descriptor: Int32, endingAt interrupt: UInt8? = nil) throws -> SecureBytes {
        var count = 0
        let buffer = try unsafe SecureBytes(count: limit) { buffer in
            while count < buffer.count {
                let place = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[count...])
                let got = unsafe systemRead(descriptor, place.baseAddress, 1)
                if got < 0, errno == EINTR { continue }
                guard got == 1, unsafe place[0] != UInt8(ascii: "\n") else { break }
                guard unsafe place[0] != interrupt else { throw TransformerError.passphraseNeeded }
                count += 1
            }
        }
        guard count > 0 else { throw TransformerError.passphraseNeeded }
        guard count < limit else {
            throw TransformerError.limitExceeded("a passphrase has less than \(limit) bytes")
        }
        return try unsafe line(
            of: SecureBytes(count: count) { output in
                unsafe buffer.withUnsafeBytes { unsafe output.copyMemory(from: .init(rebasing: $0.prefix(count))) }
            }
        )
    }

    /// Asks at the terminal, whatever standard input and output are.
    ///
    /// Signals from the keyboard are switched off meanwhile: a process that they end would leave the
    /// terminal without echo. Control-C gives up instead.
    private static func ask(_ prompt: String) throws -> SecureBytes {
        let terminal = unsafe open("/dev/tty", O_RDWR | O_CLOEXEC)
        guard terminal >= 0 else { throw TransformerError.passphraseNeeded }
        defer { close(terminal) }
        var saved = termios()
        guard unsafe tcgetattr(terminal, &saved) == 0 else { throw TransformerError.passphraseNeeded }
        var silent = saved
        silent.c_lflag &= ~tcflag_t(ECHO | ISIG)
        guard unsafe tcsetattr(terminal, TCSAFLUSH, &silent) == 0 else { throw TransformerError.passphraseNeeded }
        defer {
            unsafe tcsetattr(terminal, TCSAFLUSH, &saved)
            _ = unsafe write(terminal, "\n", 1)
        }
        _ = unsafe write(terminal, prompt, prompt.utf8.count)
        return try line(from: terminal, endingAt: 3)
    }
}
