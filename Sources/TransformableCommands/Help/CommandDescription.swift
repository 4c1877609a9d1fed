internal import ArgumentParser
internal import Foundation

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
