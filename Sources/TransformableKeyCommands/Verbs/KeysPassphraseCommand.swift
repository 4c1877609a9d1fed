internal import ArgumentParser
internal import EncryptionPlugin
internal import Foundation
internal import TransformableCommands

/// `keys passphrase`: sets, changes, or removes the passphrase of a key file.
struct KeysPassphraseCommand: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "passphrase",
            abstract: "Set, change, or remove the passphrase of a key file.",
            discussion: Help.lines(
                """
                By default, the new passphrase is read from the terminal, twice. The keys and the values \
                sealed with them stay the same. Copies of the file keep the old passphrase.
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
        help: ArgumentHelp("Read the new passphrase from the first line of this private file.", valueName: "file"),
        completion: .file()
    )
    var newPassphraseFile: String?

    @Flag(help: "Remove the passphrase, so that only the file's permissions protect the keys.")
    var remove = false

    @Option(help: "The cost of each guess at the passphrase. By default, the file's cost stays the same.")
    var cost: Cost?

    /// The named costs.
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
            throw ValidationError("--remove cannot be combined with --new-passphrase-file or --cost")
        }
        if newPassphraseFile == "" { throw ValidationError("--new-passphrase-file requires a file name") }
    }

    func run() throws {
        let session = Session.current
        let keys = try KeyFile(file, passphrase, session)
        if remove, !keys.isProtected { return try session.print("“\(file)” has no passphrase; nothing was changed") }
        // The old passphrase is verified before the new one is asked for.
        if newPassphraseFile == nil, !remove { _ = try keys.ring }
        try keys.changePassphrase(to: remove ? nil : newPassphrase(session), cost: cost?.value)
        let action = remove ? "removed" : keys.isProtected ? "changed" : "set"
        try session.print(saved: "\(action) the passphrase of “\(file)”")
    }

    private func newPassphrase(_ session: Session) throws -> SecureBytes {
        if let newPassphraseFile { return try PassphraseSource.file(URL(filePath: newPassphraseFile)).read() }
        return try session.askForNewPassphrase(orReadFrom: "--new-passphrase-file")
    }
}
