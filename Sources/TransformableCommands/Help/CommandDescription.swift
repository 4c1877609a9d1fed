internal import ArgumentParser
internal import Foundation

/// A verb as ArgumentParser describes it in JSON, with what a manual page needs.
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

    /// The name as it is typed: `transformable store show`.
    var path: [String] { (superCommands ?? []) + [commandName] }

    /// The verb, and all below it that have a page.
    var family: [Self] {
        [self] + (subcommands ?? []).filter { $0.shouldDisplay != false && $0.commandName != "help" }.flatMap(\.family)
    }

    /// The program itself.
    static var root: Self {
        get throws {
            do {
                _ = try RootCommand.parseAsRoot(["--experimental-dump-help"])
            } catch {
                let json = Data(RootCommand.fullMessage(for: error).utf8)
                return try JSONDecoder().decode(Document.self, from: json).command
            }
            throw CommandError(.usage, "the program gave no description of itself")
        }
    }
}

extension CommandDescription.Argument {
    /// How it is given, all of its names included.
    var invocation: String {
        let value = kind == "flag" ? "" : "<\(valueName ?? "value")>"
        guard kind != "positional" else { return value }
        let names = (names ?? []).map(\.text).joined(separator: ", ")
        return value.isEmpty ? names : "\(names) \(value)"
    }

    /// How it stands in a synopsis.
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
