internal import ArgumentParser
internal import EncryptionPlugin

/// `keys rotate`: a new primary key under a name.
struct KeysRotateCommand: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "rotate",
            abstract: "Add a new key under a name; the former one still opens what it sealed.",
            discussion: Help.lines(
                """
                New values are sealed under the new key. Give the file to every program that uses it, then let \
                “store reseal” write the old values anew, and retire the former key.
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

    @Option(help: "The key's name; without it, the file's default key.")
    var name: String?

    @OptionGroup var passphrase: PassphraseOptions

    func run() throws {
        let session = Session.current
        let ring = try KeyFile(file, passphrase, session).update { try $0.rotatingKey(named: name) }
        let key = name ?? ring.defaultName ?? ""
        let new = ring.generations(of: key).last { $0.state == .primary }
        let former = ring.generations(of: key).dropLast().last
        try session.print(
            "“\(key)” has the new key \(new.map { "\($0.id)" } ?? ""); \(former.map { "\($0.id)" } ?? "") still opens"
        )
    }
}
