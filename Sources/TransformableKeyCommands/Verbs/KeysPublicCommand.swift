internal import ArgumentParser
internal import EncryptionPlugin
internal import Foundation
internal import TransformableCommands

/// `keys public`: writes the public keys of a key file's key pairs.
struct KeysPublicCommand: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "public",
            abstract: "Write the public keys of a key file to a new key file.",
            discussion: Help.lines(
                """
                A program that has the new file can seal values to the key pairs, but cannot open any. \
                Secret keys that do not belong to a key pair are left out.
                """,
                examples: ["keys public letters.keys --out letters-public.keys"]
            )
        )
    }

    @Argument(help: "The key file.", completion: .file())
    var file: String

    @Option(help: ArgumentHelp("The key file to create.", valueName: "file"), completion: .file())
    var out: String

    @OptionGroup var passphrase: PassphraseOptions

    func run() throws {
        let session = Session.current
        let ring = try KeyFile(file, passphrase, session).ring.publicPart()
        guard !ring.names.isEmpty else {
            throw CommandError(.badInput, "“\(file)” has no key pair; create one with “keys add --pair”")
        }
        try KeyFile.create(out) { try ring.write(to: $0) }
        let names = ring.names.map { "“\($0)”" }.joined(separator: ", ")
        try session.print("created “\(out)” with the public keys of \(names)")
    }
}
