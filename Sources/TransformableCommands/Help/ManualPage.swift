internal import ArgumentParser
internal import Foundation

/// A manual page in the `man` macro language, generated from the help.
private struct ManualPage {
    let name: String
    let section: Int
    private var lines: [String]

    /// The name of the page's file.
    var fileName: String { "\(name).\(section)" }

    var text: String { lines.joined(separator: "\n") + "\n" }

    /// Creates the page of a command.
    init(_ command: CommandDescription, siblings: [String]) {
        self.init(command.path.joined(separator: "-"), section: 1, abstract: command.abstract ?? "")
        addSynopsis(of: command)
        add(heading: "DESCRIPTION")
        add(discussion: command.discussion ?? command.abstract ?? "")
        addOptions(of: command)
        add(heading: "SEE ALSO")
        lines.append(siblings.filter { $0 != fileName }.map(Self.reference).joined(separator: ",\n"))
    }

    /// Creates the page of a topic.
    init(_ topic: HelpTopic, program: String) {
        self.init("\(program)-\(topic.rawValue)", section: 7, abstract: topic.abstract)
        add(heading: "DESCRIPTION")
        add(verbatim: topic.text)
    }

    private init(_ name: String, section: Int, abstract: String) {
        self.name = name
        self.section = section
        let title = Self.escaped(name.uppercased())
        let program = "\(Session.current.programName) \(TransformableCommand.version)"
        lines = [".TH \"\(title)\" \"\(section)\" \"\" \"\(Self.escaped(program))\" \"\""]
        add(heading: "NAME")
        let sentence = abstract.hasSuffix(".") ? String(abstract.dropLast()) : abstract
        lines.append("\(Self.escaped(name)) \\- \(Self.escaped(sentence))")
    }

    private static func reference(_ file: String) -> String {
        let parts = file.split(separator: ".")
        return ".BR \(escaped(String(parts[0]))) (\(parts[1]))"
    }

    private mutating func add(heading: String) {
        lines.append(".SH \(heading)")
    }

    private mutating func add(paragraph: String) {
        lines += [".PP", Self.escaped(paragraph)]
    }

    private mutating func add(verbatim: String) {
        lines += [".nf"] + verbatim.split(separator: "\n", omittingEmptySubsequences: false).map(Self.escaped) + [".fi"]
    }

    private mutating func addSynopsis(of command: CommandDescription) {
        add(heading: "SYNOPSIS")
        let arguments = (command.arguments ?? []).filter(\.shouldDisplay).map(\.synopsis)
        let verb = command.subcommands == nil ? [] : ["<subcommand>"]
        lines += [".B \(Self.escaped(command.path.joined(separator: " ")))", ".br"]
        lines.append(Self.escaped((arguments + verb).joined(separator: " ")))
    }

    /// Adds the paragraphs, and the examples verbatim.
    private mutating func add(discussion: String) {
        let parts = discussion.split(separator: "Examples:\n", maxSplits: 1, omittingEmptySubsequences: false)
        for paragraph in String(parts[0]).components(separatedBy: "\n\n") where !paragraph.allSatisfy(\.isWhitespace) {
            add(paragraph: paragraph.split(whereSeparator: \.isWhitespace).joined(separator: " "))
        }
        guard parts.count > 1 else { return }
        add(heading: "EXAMPLES")
        add(verbatim: String(parts[1]))
    }

    private mutating func addOptions(of command: CommandDescription) {
        add(heading: command.subcommands == nil ? "OPTIONS" : "SUBCOMMANDS")
        for verb in command.subcommands ?? [] where verb.shouldDisplay != false && verb.commandName != "help" {
            lines += [".TP", ".B \(Self.escaped(verb.commandName))", Self.escaped(verb.abstract ?? "")]
        }
        for argument in (command.arguments ?? []) where argument.shouldDisplay && command.subcommands == nil {
            let value = argument.defaultValue.map { " The default is \($0)." } ?? ""
            lines += [
                ".TP", ".B \(Self.escaped(argument.invocation))", Self.escaped((argument.abstract ?? "") + value),
            ]
        }
    }

    /// Returns a line in which no character has a special meaning to `man`.
    private static func escaped(_ line: some StringProtocol) -> String {
        let text = String(line).replacing("\\", with: "\\e").replacing("-", with: "\\-").replacing("'", with: "\\(aq")
            .replacing("`", with: "\\(ga").replacing("^", with: "\\(ha").replacing("~", with: "\\(ti")
        return text.hasPrefix(".") ? "\\&\(text)" : text
    }
}

/// `manual`: writes the help as manual pages.
///
/// The installation runs this command.
struct ManualCommand: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "manual",
            abstract: "Write the help as manual pages.",
            discussion: Help.lines(
                "Writes a page for each command (section 1) and for each topic of “help” (section 7).",
                examples: ["manual /usr/local/share/man"]
            ),
            shouldDisplay: false
        )
    }

    @Argument(help: "The folder in which to write the sections man1 and man7.", completion: .directory)
    var folder: String

    func run() throws {
        let session = Session.current
        let commands = try CommandDescription.root.family
        let verbs = commands.map { ManualPage($0, siblings: []).fileName }
        let topics = HelpTopic.allCases.map { ManualPage($0, program: session.programName) }
        let root = verbs.prefix(1) + topics.map(\.fileName)
        let pages = commands.enumerated()
            .map { ManualPage($1, siblings: $0 == 0 ? verbs + root.dropFirst() : Array(root)) }
        for page in pages + topics {
            let section = "\(folder)/man\(page.section)"
            do {
                try FileManager.default.createDirectory(atPath: section, withIntermediateDirectories: true)
            } catch {
                throw CommandError(.cannotCreate, "cannot create “\(section)”: \(ErrorLine.sentence(for: error))")
            }
            try OutputFile("\(section)/\(page.fileName)", session.temporaryFiles).write(Data(page.text.utf8))
        }
        try session.print("wrote \(pages.count + topics.count) pages to “\(folder)”")
    }
}
