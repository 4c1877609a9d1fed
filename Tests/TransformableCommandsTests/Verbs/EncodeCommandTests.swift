import Foundation
import Testing

struct EncodeCommandTests {
    @Test(arguments: [
        (["text", "hello"], "hello"),
        (["upper", "hello"], "HELLO\n"),
        (["upper", "hello", "--raw"], "HELLO"),
        (["text", "hello", "--hex"], "68656c6c6f\n"),
        (["upper", "hello", "--hex"], "48454c4c4f\n"),
        (["text", "hello", "--base64"], "aGVsbG8=\n"),
        (["text", "", "--hex"], "\n"),
        (["number", "-5"], "-5\n"),
        (["count", "hello"], "5\n"),
        (["reverse | text | bytes", "abc"], "cba"),
    ])
    func encodesTheArgument(arguments: [String], expected: String) throws {
        let run = try CommandRun(arguments: ["encode"] + arguments)
        #expect(run.output == expected)
        #expect(run.status == 0)
        #expect(run.messages == "")
    }

    @Test(arguments: [
        (["number"], "42\n", "42\n"),
        (["number", "-"], "42\r\n", "42\n"),
        (["number", "--in", "-"], "42", "42\n"),
        (["text"], "two\nlines\n", "two\nlines\n"),
        (["count"], "two\nlines\n", "10\n"),
    ])
    func readsStandardInput(arguments: [String], input: String, expected: String) throws {
        let run = try CommandRun(arguments: ["encode"] + arguments, input: Data(input.utf8))
        #expect(run.output == expected)
        #expect(run.status == 0)
    }

    @Test func readsAndWritesFilesExactly() throws {
        let folder = try TemporaryFolder()
        let bytes = Data([0, 255, 10])
        let source = try folder.write(bytes, "source")
        let run = try CommandRun("encode", "bytes", "--in", source, "--out", folder.path("target"))
        #expect(run.status == 0)
        #expect(run.outputBytes.isEmpty)
        #expect(try Data(contentsOf: URL(filePath: folder.path("target"))) == bytes)
        #expect(try folder.names == ["source", "target"])
    }

    @Test(arguments: [
        Refusal(64, "nonsense", "x"),
        Refusal(64, "te xt", "x"),
        Refusal(64, "text(encoding: morse)", "x"),
        Refusal(64, "text(a: 1)", "x"),
        Refusal(64, "pair", "x"),
        Refusal(64, "number | number", "1"),
        Refusal(64, "opaque", "x"),
        Refusal(64, "", "x"),
        Refusal(64),
        Refusal(64, "text", "x", "--in", "y"),
        Refusal(64, "text", "x", "y"),
        Refusal(64, "text", "x", "--what"),
        Refusal(64, "text", "x", "--hex", "--base64"),
        Refusal(64, "count", "x", "--hex"),
        Refusal(64, "text", "x", "--out", ""),
        Refusal(65, "number", "x"),
        Refusal(65, "number", "99999999999999999999"),
        Refusal(65, "text(encoding: latin-1)", "€"),
        Refusal(66, "text", "--in", "/nonexistent"),
        Refusal(66, "text", "--in", "/"),
        Refusal(73, "text", "x", "--out", "/nonexistent/x"),
        Refusal(73, "text", "x", "--out", "/"),
        Refusal(74, "text", "x", "--out", "/dev/full"),
    ])
    func failsWithAStatusAndOneSentence(refusal: Refusal) throws {
        try refusal.check("encode")
    }

    @Test func doesNotWriteBinaryToATerminal() throws {
        let folder = try TemporaryFolder()
        let source = try folder.write(Data([0, 1, 2]), "source")
        let refused = try CommandRun("encode", "bytes", "--in", source, terminal: true)
        #expect(refused.status == 64)
        #expect(refused.output == "")
        let ways = ["--out", "--hex", "--base64", "--raw", "pipe"]
        #expect(ways.filter { !refused.messages.contains($0) } == [])
        #expect(
            try CommandRun("encode", "bytes", "--in", source, "--raw", terminal: true).outputBytes == Data([0, 1, 2])
        )
        #expect(try CommandRun("encode", "bytes", "--in", source, "--hex", terminal: true).output == "000102\n")
        #expect(try CommandRun("encode", "text", "hello", terminal: true).output == "hello\n")
    }

    @Test func requiresAValueOnATerminal() throws {
        let run = try CommandRun("encode", "text", terminal: true)
        #expect(run.status == 64)
        #expect(run.messages.contains("--in FILE"))
    }

    @Test func doesNotRevealAConfidentialValue() throws {
        let run = try CommandRun("encode", "number | text | secret", "hunter2")
        #expect(run.status == 65)
        #expect(!run.messages.contains("hunter2"))
    }
}
