internal import ArgumentParser
internal import EncryptionPlugin
internal import Foundation

/// `keys import`: the keys of another file.
struct KeysImportCommand: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "import",
            abstract: "Add the keys of another key file.",
            discussion: Help.lines(
                """
                Under a name that both files have, the primary key of the first file stays the primary one, and the \
                keys of the other file still open what they sealed. The other file is not changed.
                """,
                examples: [
                    "keys import clinic.keys partner-public.keys",
                    "keys import clinic.keys old.keys --other-passphrase-file old-passphrase.txt",
                ]
            )
        )
    }

    @Argument(help: "The key file to add to.", completion: .file())
    var file: String

    @Argument(help: "The key file to read.", completion: .file())
    var other: String

    @OptionGroup var passphrase: PassphraseOptions

    @Option(
        help: ArgumentHelp("The other file's passphrase: the first line of this private file.", valueName: "file"),
        completion: .file()
    )
    var otherPassphraseFile: String?

    func run() throws {
        let session = Session.current
        let source = otherPassphraseFile.map { PassphraseSource.file(URL(filePath: $0)) }
        let imported = try KeyFile(other, source, session).ring
        let keys = try KeyFile(file, passphrase, session)
        var former: Set<KeyID> = []
        let ring = try keys.update { ring in
            former = ring.ids
            return try ring.importing(imported)
        }
        let added = ring.ids.subtracting(former).count
        try session.print("“\(file)” has \(added == 1 ? "1 key" : "\(added) keys") more, from “\(other)”")
    }
}

extension KeyRing {
    fileprivate var ids: Set<KeyID> { Set(names.flatMap(generations).map(\.id)) }
}
