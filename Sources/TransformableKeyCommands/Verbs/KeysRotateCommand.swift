internal import ArgumentParser
internal import EncryptionPlugin
internal import TransformableCommands

/// `keys rotate`: adds a new primary key under an existing name.
struct KeysRotateCommand: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "rotate",
            abstract: "Replace a key with a new one; the old key still opens the values it sealed.",
            discussion: Help.lines(
                """
                New values are sealed with the new key. Give the updated file to every program that uses it, \
                rewrite the old values with “store reseal”, and then retire the old key with “keys retire”.
                """,
                examples: [
                    "keys rotate clinic.keys",
                    "keys rotate clinic.keys --name billing",
                    "store reseal clinic.sqlite --key-file clinic.keys",
                ]
            )
        )
    }

    @Argument(help: "The key file.", completion: .file())
    var file: String

    @Option(help: "The key's name. By default, the file's default key.")
    var name: String?

    @OptionGroup var passphrase: PassphraseOptions

    func run() throws {
        let session = Session.current
        let ring = try KeyFile(file, passphrase, session).update { try $0.rotatingKey(named: name) }
        let key = name ?? ring.defaultName ?? ""
        let new = ring.generations(of: key).last { $0.state == .primary }
        let former = ring.generations(of: key).dropLast().last
        try session.print(
            "“\(key)” now seals with \(new.map { "\($0.id)" } ?? ""); \(former.map { "\($0.id)" } ?? "") can still open"
        )
    }
}
