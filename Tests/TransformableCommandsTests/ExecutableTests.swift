import Foundation
import Testing

/// What only a process of its own shows: signals, pipes, and the status that a shell sees.
struct ExecutableTests {
    private static let executable = URL(filePath: CommandLine.arguments[0])
        .deletingLastPathComponent()
        .appending(path: "transformable")

    /// Runs a line of shell in which `$T` is the program.
    private func shell(_ script: String, in folder: TemporaryFolder? = nil) throws -> (status: Int32, output: String) {
        let process = Process()
        process.executableURL = URL(filePath: "/bin/sh")
        process.arguments = ["-c", script]
        process.currentDirectoryURL = folder?.url
        process.environment = ["T": Self.executable.path, "PATH": "/usr/bin:/bin"]
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = pipe
        try process.run()
        let output = try pipe.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return (process.terminationStatus, String(decoding: output, as: UTF8.self))
    }

    @Test(arguments: [
        ("$T encode text hello --hex", 0, "68656c6c6f\n"),
        ("printf hello | $T encode text - --base64", 0, "aGVsbG8=\n"),
        ("$T encode text --hex -- -x", 0, "2d78\n"),
        ("$T encode text hello > /dev/full", 74, "error: writing standard output failed: no space left on device\n"),
        ("$T encode text hello >&-", 74, "error: writing standard output failed: bad file descriptor\n"),
        ("$T encode text <&-", 74, "error: reading standard input failed: bad file descriptor\n"),
        ("$T nonsense 2>&-", 64, ""),
        ("$T encode text \"$(printf '\\377')\" 2>&1 | cut -c 1-31; exit 64", 64, "error: an argument is not UTF-8\n"),
        (
            "printf 'P6 1 1 255 abc' | $T encode png | $T decode png --out x.gif", 64,
            "error: an image is not written as “gif”; use png, jpg or pam\n"
        ),
        ("$T encode 'list(of: (rect))' '[\"{{1, 2}, {3, 4}}\"]'", 0, "[\"{{1, 2}, {3, 4}}\"]\n"),
        ("$T explain range | sed -n 2p", 0, "  range: a range as {location, length}, or packed; NSRange to String\n"),
        ("$T --help > /dev/full", 74, "error: writing standard output failed: no space left on device\n"),
    ])
    func endsWithItsStatus(script: String, status: Int32, output: String) throws {
        let result = try shell(script)
        #expect(result.status == status)
        #expect(result.output == output)
    }

    @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
    func endsAtASignalAndLeavesNoFile(signal: Int32) throws {
        let folder = try TemporaryFolder()
        let pipe = folder.path("pipe")
        #expect(mkfifo(pipe, 0o600) == 0)
        let process = Process()
        process.executableURL = Self.executable
        process.arguments = ["encode", "text", "--in", pipe, "--out", folder.path("out")]
        try process.run()
        // Opens once the program has opened the other end, and so has begun to work.
        let writer = try FileHandle(forWritingTo: URL(filePath: pipe))
        kill(process.processIdentifier, signal)
        process.waitUntilExit()
        try writer.close()
        #expect(process.terminationReason == .exit)
        #expect(process.terminationStatus == 128 + signal)
        #expect(try folder.names == ["pipe"])
    }

    @Test func hasEveryPlugin() throws {
        let names = "standard, geometry, image, keyed-archive, encryption"
        #expect(try shell("$T list | tail -n 1").output.hasSuffix("transformers; plugins: \(names)\n"))
    }

    @Test func endsQuietlyWhereNobodyReads() throws {
        let script = "head -c 1000000 /dev/zero | { $T encode text; echo \"status $?\" >&2; } | true"
        #expect(try shell(script).output == "status 141\n")
        #expect(try shell("trap '' PIPE; \(script)").output == "status 141\n")
    }

    @Test func inspectsAPipe() throws {
        let folder = try TemporaryFolder()
        let result = try shell("mkfifo p; { echo hello > p; } & $T inspect p", in: folder)
        #expect(result.output == "UTF-8 text\n  bytes:  6\n  lines:  2\n")
    }

    @Test(arguments: ["x", "./x", "sub/x", "sub/../x", "a b.tar.gz", ".x"])
    func writesRelativePaths(path: String) throws {
        let folder = try TemporaryFolder()
        let result = try shell("mkdir sub; $T encode text hello --out '\(path)' && cat '\(path)'", in: folder)
        #expect(result.output == "hello")
        #expect(result.status == 0)
    }

    @Test func leavesNoFileWhereWritingFails() throws {
        let folder = try TemporaryFolder()
        let script = "ulimit -f 8; head -c 100000 /dev/zero | $T encode text --out zeros"
        let result = try shell(script, in: folder)
        #expect(result.status == 74)
        #expect(result.output == "error: writing “zeros” failed: file too large\n")
        #expect(try folder.names == [])
    }
}
