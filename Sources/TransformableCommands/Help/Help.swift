internal import ArgumentParser
internal import Foundation
internal import Synchronization

/// Builds the discussions that `--help` shows.
package enum Help {
    private static let columns = 80

    private struct Key: Hashable {
        let paragraph: String
        let firstExample: String?
        let programName: String
        let hasKeys: Bool
    }

    // ArgumentParser asks commands for their help many times whenever it parses arguments.
    private static let known = Mutex<[Key: String]>([:])

    /// Returns a paragraph followed by examples that begin with the program's name.
    ///
    /// - Parameters:
    ///   - paragraph: What the abstract does not say.
    ///   - examples: Examples. If the program has no keys, those with keys are left out.
    /// - Returns: The text.
    package static func lines(_ paragraph: String, examples: [Example]) -> String {
        let session = Session.current
        let key = Key(
            paragraph: paragraph,
            firstExample: examples.first?.command,
            programName: session.programName,
            hasKeys: session.hasKeys
        )
        if let text = known.withLock({ $0[key] }) { return text }
        let lines = examples.filter { session.hasKeys || !$0.hasKeys }
            .map { broken("\(session.programName) \($0.command)") }
        let text = ([paragraph] + (lines.isEmpty ? [] : ["", "Examples:"] + lines)).joined(separator: "\n")
        known.withLock { $0[key] = text }
        return text
    }

    /// A command line, without the program's name.
    package struct Example: ExpressibleByStringLiteral {
        fileprivate let command: String
        fileprivate var hasKeys = false

        package init(stringLiteral command: String) {
            self.command = command
        }

        /// A command line that names a key file.
        static func withKeys(_ command: String) -> Self {
            var example = Self(stringLiteral: command)
            example.hasKeys = true
            return example
        }
    }

    /// Breaks a command line at spaces outside quotes, so that it fits a terminal and can still be copied.
    private static func broken(_ line: String) -> String {
        guard line.utf8.count + 4 >= columns else { return "  \(line)" }
        var lines: [String] = []
        var current = " "
        for word in words(line) {
            if "\(current) \(word) \\".count >= columns {
                lines.append("\(current) \\")
                current = "     "
            }
            current += " \(word)"
        }
        return (lines + [current]).joined(separator: "\n")
    }

    /// Splits a command line into words, keeping quoted text together.
    private static func words(_ line: String) -> [String] {
        var words: [String] = []
        for part in line.split(separator: " ") {
            if let last = words.last, !last.count(where: { $0 == "'" }).isMultiple(of: 2) {
                words[words.count - 1] = "\(last) \(part)"
            } else {
                words.append(String(part))
            }
        }
        return words
    }
}

/// The parts of ArgumentParser's JSON description of a command that a manual page needs.
struct CommandDescription: Decodable {
    struct Argument: Decodable {
        struct Name: Decodable {
            let kind: String
            let name: String

            var text: String { kind == "long" ? "--\(name)" : "-\(name)" }
        }

        let kind: String
        let shouldDisplay: Bool
        let isOptional: Bool
        let isRepeating: Bool
        let names: [Name]?
        let preferredName: Name?
        let valueName: String?
        let defaultValue: String?
        let abstract: String?
    }

    private struct Document: Decodable {
        let command: CommandDescription
    }

    let commandName: String
    let abstract: String?
    let discussion: String?
    let shouldDisplay: Bool?
    let superCommands: [String]?
    let subcommands: [CommandDescription]?
    let arguments: [Argument]?

    /// The full name as typed, for example `transformable store show`.
    var path: [String] { (superCommands ?? []) + [commandName] }

    /// This command and all of its descendants that have a page.
    var family: [Self] {
        [self] + (subcommands ?? []).filter { $0.shouldDisplay != false && $0.commandName != "help" }.flatMap(\.family)
    }

    /// The root command.
    static var root: Self {
        get throws {
            let root = Session.current.root
            do {
                _ = try root.parseAsRoot(["--experimental-dump-help"])
            } catch {
                let json = Data(root.fullMessage(for: error).utf8)
                return try JSONDecoder().decode(Document.self, from: json).command
            }
            throw CommandError(.usage, "the program returned no description of its commands")
        }
    }
}

extension CommandDescription.Argument {
    /// How the argument is written, with all of its names.
    var invocation: String {
        let value = kind == "flag" ? "" : "<\(valueName ?? "value")>"
        guard kind != "positional" else { return value }
        let names = (names ?? []).map(\.text).joined(separator: ", ")
        return value.isEmpty ? names : "\(names) \(value)"
    }

    /// How the argument appears in a synopsis.
    var synopsis: String {
        let value = "<\(valueName ?? "value")>"
        let name = preferredName?.text ?? ""
        let text =
            switch kind {
            case "positional": value
            case "flag": name
            default: "\(name) \(value)"
            }
        let all = isRepeating ? "\(text) ..." : text
        return isOptional ? "[\(all)]" : all
    }
}
