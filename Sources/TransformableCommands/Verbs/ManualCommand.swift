internal import ArgumentParser
internal import Foundation

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

    @Argument(help: "The folder that contains the sections man1 and man7.", completion: .directory)
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
