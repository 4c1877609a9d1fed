internal import ArgumentParser
internal import EncryptionPlugin
internal import Foundation
internal import Transformable

/// `keys passphrase`: another passphrase for a file, its first one, or none.
struct KeysPassphraseCommand: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "passphrase",
            abstract: "Set, change, or remove the passphrase of a key file.",
            discussion: Help.lines(
                """
                Without options, the new passphrase is asked for at the terminal, twice. The keys stay the same, and \
                so does what they have sealed; copies of the file keep the former passphrase.
                """,
                examples: [
                    "keys passphrase clinic.keys",
                    "keys passphrase clinic.keys --passphrase-file old.txt --new-passphrase-file new.txt",
                    "keys passphrase clinic.keys --passphrase-file old.txt --remove",
                ]
            )
        )
    }

    @Argument(help: "The key file.", completion: .file())
    var file: String

    @OptionGroup var passphrase: PassphraseOptions

    @Option(
        help: ArgumentHelp("The new passphrase: the first line of this private file.", valueName: "file"),
        completion: .file()
    )
    var newPassphraseFile: String?

    @Flag(help: "Remove the passphrase: only the file's mode protects the keys then.")
    var remove = false

    @Option(help: "What each guess at the passphrase costs; without it, the file's cost stays.")
    var cost: Cost?

    /// The costs that have names.
    enum Cost: String, ExpressibleByArgument, CaseIterable {
        case interactive
        case moderate
        case sensitive

        var value: PassphraseCost {
            switch self {
            case .interactive: .interactive
            case .moderate: .moderate
            case .sensitive: .sensitive
            }
        }
    }

    func validate() throws {
        if remove, newPassphraseFile != nil || cost != nil {
            throw ValidationError("--remove takes neither --new-passphrase-file nor --cost")
        }
    }

    func run() throws {
        let session = Session.current
        let keys = try KeyFile(file, passphrase, session)
        // Nobody is asked for a new one who does not have the old one.
        if newPassphraseFile == nil, !remove { _ = try keys.ring }
        try keys.changePassphrase(to: remove ? nil : newPassphrase(session), cost: cost?.value)
        try session.print(remove ? "“\(file)” has no passphrase anymore" : "“\(file)” has the new passphrase")
    }

    private func newPassphrase(_ session: Session) throws -> SecureBytes {
        if let newPassphraseFile { return try PassphraseSource.file(URL(filePath: newPassphraseFile)).read() }
        return try session.askForNewPassphrase()
    }
}
