import Foundation
import Testing

struct DecodeCommandTests {
    @Test(arguments: [
        (["text", "hello"], "hello"),
        (["text", "--hex", "68 65 6C6c\n6f"], "hello"),
        (["text", "--base64", "aGVsbG8="], "hello"),
        (["number", "42"], "42\n"),
        (["number", "-42"], "-42\n"),
        (["number | text", "--hex", "3432"], "42\n"),
        (["secret", "--hex", "979a9393 90"], "hello"),
    ])
    func decodesTheArgument(arguments: [String], expected: String) throws {
        let run = try CommandRun(arguments: ["decode"] + arguments)
        #expect(run.output == expected)
        #expect(run.messages == "")
        #expect(run.status == 0)
    }

    @Test(arguments: ["hello", "two\nlines", "line\n", "\n", "\n\n", "", "ünï"])
    func readsTheOutputOfEncodeFromAPipe(value: String) throws {
        let encoded = try CommandRun("encode", "reverse", "--in", "-", input: Data(value.utf8))
        let decoded = try CommandRun("decode", "reverse", input: encoded.outputBytes)
        #expect(decoded.output == value)
    }

    @Test(arguments: ["hello", "line\n", "\n", ""])
    func readsTheOutputOfEncodeFromAFile(value: String) throws {
        let folder = try TemporaryFolder()
        _ = try CommandRun("encode", "reverse", "-", "--out", folder.path("x"), input: Data(value.utf8))
        #expect(try CommandRun("decode", "reverse", "--in", folder.path("x")).output == value)
    }

    @Test func ignoresAFinalNewlineThatIsNotPartOfTheValue() throws {
        let folder = try TemporaryFolder()
        let file = try folder.write(Data("42\n".utf8), "number")
        #expect(try CommandRun("decode", "number", "--in", file).output == "42\n")
    }

    @Test(arguments: [
        Refusal(64, "count", "x"),
        Refusal(64, "nonsense", "x"),
        Refusal(65, "number", "x"),
        Refusal(65, "text", "--hex", "6"),
        Refusal(65, "text", "--hex", "6g"),
        Refusal(65, "text", "--base64", "a"),
        Refusal(65, "text", "--base64", "AA=A"),
        Refusal(65, "text", "--hex", "ff"),
        Refusal(66, "text", "--in", "/nonexistent"),
    ])
    func failsWithAStatusAndOneSentence(refusal: Refusal) throws {
        try refusal.check("decode")
    }

    @Test func printsRemarksAboutTheValue() throws {
        let run = try CommandRun("decode", "remarkable", "x")
        #expect(run.messages == "note: half of it\n")
        #expect(run.status == 0)
    }

    @Test func doesNotRevealAConfidentialValue() throws {
        let encoded = try CommandRun("encode", "text | secret", "hunter2", "--hex").output
        let run = try CommandRun("decode", "number | text | secret", "--hex", encoded)
        #expect(run.status == 65)
        #expect(!run.messages.contains("hunter2"))
    }
}
