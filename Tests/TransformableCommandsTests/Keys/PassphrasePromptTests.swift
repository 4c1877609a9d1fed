import Foundation
import Testing

/// Behavior on a terminal, which is simulated with Python.
@Suite struct PassphrasePromptTests {
    private static let executable = URL(filePath: CommandLine.arguments[0])
        .deletingLastPathComponent()
        .appending(path: "transformable")

    /// Types lines at the prompts of a program on a terminal, and returns everything that the terminal showed.
    ///
    /// A line that ends with Control-C has no newline.
    private static let typist = """
        import os, pty, signal, sys
        signal.alarm(60)
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
                line = lines.pop(0)
                os.write(terminal, (line if line.endswith("\\x03") else line + "\\n").encode())
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        print(seen.decode(errors="replace") + "status %d" % status)
        """

    /// Sends a signal to a program at its prompt, and prints its status and whether the terminal echoes before, at, and
    /// after the prompt.
    private static let killer = """
        import fcntl, os, pty, sys, termios
        signal, command = int(sys.argv[1]), sys.argv[2:]
        # The kernel resets a terminal when the leader of its session ends, so the leader must outlive the program.
        leader = os.fork()
        if leader > 0:
            sys.exit(os.waitstatus_to_exitcode(os.waitpid(leader, 0)[1]))
        os.setsid()
        terminal, line = pty.openpty()
        fcntl.ioctl(line, termios.TIOCSCTTY, 0)
        echoes = lambda: termios.tcgetattr(line)[3] & termios.ECHO != 0
        before = echoes()
        child = os.fork()
        if child == 0:
            for number in range(3):
                os.dup2(line, number)
            os.execv(command[0], command)
        seen = b""
        while not seen.rstrip(b" ").endswith(b":"):
            seen += os.read(terminal, 1000)
        asking = echoes()
        os.kill(child, signal)
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        print(status, before, asking, echoes())
        """

    private func type(_ lines: String, _ arguments: String...) throws -> String {
        try python(Self.typist, [lines, Self.executable.path] + arguments)
    }

    private func python(_ program: String, _ arguments: [String]) throws -> String {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["python3", "-c", program] + arguments
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

    @Test(arguments: ["\u{3}", "sword\u{3}", "swordfish|\u{3}"]) func controlCCancels(lines: String) throws {
        let folder = try TemporaryFolder()
        let canceled = try type(lines, "keys", "new", folder.path("clinic.keys"), "--passphrase")
        #expect(canceled.hasSuffix("error: interrupted\r\nstatus 130\n"), "\(canceled)")
        #expect(!canceled.contains("sword"))
        #expect(try folder.names == [])
    }

    /// Nothing is typed before the line ends, or the terminal's input ends with Control-D.
    @Test(arguments: ["", "\u{4}"]) func saysThatNoPassphraseWasEntered(line: String) throws {
        let folder = try TemporaryFolder()
        let empty = try type(line, "keys", "new", folder.path("clinic.keys"), "--passphrase")
        #expect(empty.hasSuffix("error: no passphrase was entered\r\nstatus 77\n"), "\(empty)")
        #expect(try folder.names == [])
    }

    @Test(arguments: [SIGTERM, SIGINT])
    func aSignalLeavesTheTerminalWithEcho(signal: Int32) throws {
        let keys = try TemporaryFolder().path("clinic.keys")
        // The program that runs the tests may ignore the signal.
        let program = ["/usr/bin/env", "--default-signal", Self.executable.path]
        let arguments = ["\(signal)"] + program + ["keys", "new", keys, "--passphrase"]
        #expect(try python(Self.killer, arguments) == "\(128 + signal) True False True\n")
    }

    @Test func rejectsAWrongPassphrase() throws {
        let folder = try TemporaryFolder()
        let keys = folder.path("clinic.keys")
        #expect(try type("swordfish|swordfish", "keys", "new", keys, "--passphrase").hasSuffix("status 0\n"))
        let wrong = try type("trout", "encode", "text | sealed", "hello", "--key-file", keys, "--hex")
        #expect(wrong.hasSuffix("status 77\n"))
        #expect(!wrong.contains("trout"))
    }
}
