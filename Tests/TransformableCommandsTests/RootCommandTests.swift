import Foundation
import Testing
import Transformable

struct RootCommandTests {
    private static let verbs = [
        "list", "explain", "encode", "decode", "roundtrip", "inspect", "keys", "keys new", "keys list", "keys rotate",
        "keys retire", "store", "store create", "store insert", "store import", "store set", "store update",
        "store delete", "store show", "store fetch", "store get", "store schema", "store reseal", "store verify",
        "store copy", "store export", "store discard", "store sweep", "store migrate", "store seal",
    ]

    @Test(arguments: ["list", "explain", "encode", "decode", "roundtrip", "inspect", "keys", "keys new"])
    func theHelpContainsExamples(verb: String) throws {
        let run = try CommandRun(arguments: verb.split(separator: " ").map(String.init) + ["--help"])
        #expect(run.status == 0)
        #expect(run.output.contains("Examples:\n  transformable \(verb)"))
        #expect(run.messages == "")
    }

    @Test(arguments: verbs)
    func examplesCanBeCopied(verb: String) throws {
        let help = try CommandRun(arguments: verb.split(separator: " ").map(String.init) + ["--help"]).output
        let start = try #require(help.range(of: "Examples:\n")).upperBound
        let end = try #require(help.range(of: "\n\nUSAGE:")).lowerBound
        let lines = help[start..<end].split(separator: "\n")
        #expect(lines.allSatisfy { $0.count < 80 })
        let commands = lines.joined(separator: "\n").replacing(" \\\n     ", with: "").split(separator: "\n")
        for command in commands {
            #expect(command.hasPrefix("  transformable "))
            #expect(command.count { $0 == "'" }.isMultiple(of: 2), "\(command)")
        }
    }

    /// The indentation of a text in the source is not part of the help.
    @Test(arguments: verbs)
    func separatesWordsByOneSpace(verb: String) throws {
        let help = try CommandRun(arguments: verb.split(separator: " ").map(String.init) + ["--help"]).output
        let end = try #require(help.range(of: "\n\nExamples:")).lowerBound
        #expect(!help[..<end].contains("  "))
    }

    @Test(arguments: ["bash", "zsh", "fish"])
    func supportsCompletionInShells(shell: String) throws {
        let run = try CommandRun("--generate-completion-script", shell)
        #expect(run.status == 0)
        #expect(run.output.contains("roundtrip"))
    }

    @Test func completesNamesOfTransformers() throws {
        let run = try CommandRun("---completion", "encode", "--", "positional@0", "2", "0", "")
        #expect(run.output.split(separator: "\n").contains("reverse"))
    }

    @Test(arguments: [
        ("transmogrify", "there is no command “transmogrify”; “help” lists all of them"),
        ("encod rect x", "there is no command “encod”; did you mean “encode”?"),
        ("store shw clinic.sqlite", "there is no command “store shw”; did you mean “store show”?"),
        ("store clinic.sqlite", "there is no command “store clinic.sqlite”; “help” lists all of them"),
    ])
    func rejectsAnUnknownCommand(line: String, message: String) throws {
        let run = try CommandRun(arguments: line.split(separator: " ").map(String.init))
        #expect(run.status == 64)
        #expect(run.messages == "error: \(message)\n")
    }

    @Test func reportsAnInvalidRegistryAsAnInternalError() throws {
        let run = try CommandRun("list") { _ in
            try TransformerRegistry {
                Registration.text
                Registration.text
            }
        }
        #expect(run.status == 70)
        #expect(run.messages.contains("text"))
    }

    @Test func errorsAreSafeSingleLines() throws {
        let run = try CommandRun("encode", "number", "a\nb\u{1B}[31m\u{202E}")
        #expect(run.messages.split(separator: "\n").count == 1)
        #expect(!run.messages.contains("\u{1B}"))
        #expect(!run.messages.contains("\u{202E}"))
        #expect(try CommandRun("encode", "number", String(repeating: "x", count: 100_000)).messages.utf8.count < 2000)
    }
}
