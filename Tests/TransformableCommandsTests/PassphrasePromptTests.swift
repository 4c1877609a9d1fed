import Foundation
import Testing

/// What only a terminal shows: Python makes one, and types at it.
@Suite struct PassphrasePromptTests {
    private static let executable = URL(filePath: CommandLine.arguments[0])
        .deletingLastPathComponent()
        .appending(path: "transformable")

    /// Types lines at a program on a terminal, each at a prompt, and gives all that the terminal showed.
    private static let typist = """
        import os, pty, sys
        lines, command = sys.argv[1].split("|"), sys.argv[2:]
        child, terminal = pty.fork()
        if child == 0:
            os.execv(command[0], command)
        seen = b""
        while True:
            try:
                read = os.read(terminal, 1000)
            except OSError:
                break
            if not read:
                break
            seen += read
            if lines and seen.rstrip(b" ").endswith(b":"):
                os.write(terminal, (lines.pop(0) + "\\n").encode())
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        print(seen.decode(errors="replace") + "status %d" % status)
        """

    private func type(_ lines: String, _ arguments: String...) throws -> String {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["python3", "-c", Self.typist, lines, Self.executable.path] + arguments
        let pipe = Pipe()
        process.standardOutput = pipe
        try process.run()
        let output = try pipe.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0)
        return String(decoding: output, as: UTF8.self)
    }

    @Test func asksWithoutEcho() throws {
        let folder = try TemporaryFolder()
        let keys = folder.path("clinic.keys")
        let made = try type("swordfish|swordfish", "keys", "new", keys, "--passphrase")
        #expect(made.hasSuffix("status 0\n"), "\(made)")
        #expect(!made.contains("swordfish"))
        let file = folder.path("secret")
        let sealed = try type("swordfish", "encode", "text | sealed", "hello", "--key-file", keys, "--out", file)
        #expect(sealed.contains("Passphrase of “\(keys)”: "))
        #expect(!sealed.contains("swordfish"))
        #expect(try type("swordfish", "decode", "text | sealed", "--in", file, "--key-file", keys).contains("hello"))
    }

    @Test func refusesAWrongPassphrase() throws {
        let folder = try TemporaryFolder()
        let keys = folder.path("clinic.keys")
        #expect(try type("swordfish|swordfish", "keys", "new", keys, "--passphrase").hasSuffix("status 0\n"))
        let wrong = try type("trout", "encode", "text | sealed", "hello", "--key-file", keys, "--hex")
        #expect(wrong.hasSuffix("status 77\n"))
        #expect(!wrong.contains("trout"))
    }
}
