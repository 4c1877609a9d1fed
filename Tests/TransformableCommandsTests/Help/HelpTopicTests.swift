import Foundation
import Testing
import TransformableStore

/// The topics of `help` that several commands share.
@Suite struct HelpTopicTests {
    private static let sources = URL(filePath: #filePath).appending(path: "../../../../Sources").standardized

    @Test(arguments: ["conditions", "models"])
    func fitsATerminal(topic: String) throws {
        let run = try CommandRun("help", topic)
        #expect(run.status == 0)
        #expect(run.messages == "")
        #expect(run.output.split(separator: "\n").allSatisfy { $0.count <= 80 })
        #expect(try CommandRun("--help").output.contains("help \(topic)"))
    }

    @Test(arguments: [["nosuch"], ["store", "nosuch"], ["condition"], ["list", "nosuch"]])
    func rejectsAnUnknownTopic(words: [String]) throws {
        let run = try CommandRun(arguments: ["help"] + words)
        #expect(run.status == 64)
        #expect(run.output == "")
        #expect(run.messages.contains("there is no command or topic “\(words.joined(separator: " "))”"))
    }

    /// The help has its own spaces and line breaks.
    private static func words(_ text: some StringProtocol) -> String {
        text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }

    @Test func showsTheGrammarOfConditions() throws {
        let help = try CommandRun("help", "conditions").output
        let source = try String(
            contentsOf: Self.sources.appending(path: "TransformableModel/Conditions/Condition.swift"),
            encoding: .utf8
        )
        let comment = source.split(separator: "\n").filter { $0.hasPrefix("///") }.map { $0.dropFirst(3) }
        let grammar = comment.split { $0.hasPrefix(" ```") }.first { $0.first?.hasPrefix(" condition ") == true }
        let lines = try #require(grammar).joined(separator: "\n")
        #expect(Self.words(try #require(help.split(separator: "GRAMMAR").last)) == Self.words(lines))
    }

    @Test func examplesOfConditionsAreValid() throws {
        let help = try CommandRun("help", "conditions").output
        for heading in ["COMPARISONS", "COMBINING CONDITIONS", "RELATIONSHIPS"] {
            let section = try #require(
                help.components(separatedBy: "\(heading)\n").last?.components(separatedBy: "\n\n").first
            )
            let examples = section.split(separator: "\n").filter { !$0.hasPrefix("     ") }
                .map { String($0).components(separatedBy: "   ")[0].trimmingCharacters(in: .whitespaces) }
            #expect(examples.count > 3)
            for example in examples { #expect(throws: Never.self, "\(example)") { try Condition(example) } }
        }
    }

    @Test func theModelInTheHelpIsValid() throws {
        let help = try CommandRun("help", "models").output
        let start = try #require(help.firstIndex(of: "{"))
        let end = try #require(help.range(of: "\n\nMODEL")).lowerBound
        let model = try Model(json: Data(help[start..<end].utf8))
        #expect(model.entities.map(\.name) == ["Patient", "Visit"])
        // Each key that the reader knows is explained.
        let source = try String(
            contentsOf: Self.sources.appending(path: "TransformableModel/JSON/Model+JSON.swift"),
            encoding: .utf8
        )
        for list in ["entity", "attribute", "composite", "relationship"] {
            let keys = try #require(
                source.components(separatedBy: "static let \(list): Set = [").last?.prefix { $0 != "]" }
            )
            let names = keys.split(separator: "\"").filter { $0.allSatisfy(\.isLetter) }.map(String.init)
            #expect(names.count > 4)
            for name in names where name != "onDelete" { #expect(help.contains(name), "\(name)") }
        }
    }

    @Test func doesNotChangeTheHelpOfCommands() throws {
        #expect(try CommandRun("help", "store", "show").output == CommandRun("store", "show", "--help").output)
        #expect(try CommandRun("help").output == CommandRun("--help").output)
    }
}
