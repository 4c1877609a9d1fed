internal import ArgumentParser
internal import EncryptionPlugin
internal import TransformableCommands

/// `keys add`: adds a random key to a key file.
struct KeysAddCommand: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "add",
            abstract: "Add a random key under a new name to a key file.",
            discussion: Help.lines(
                "To replace a key that the file already has, use “keys rotate”.",
                examples: [
                    "keys add clinic.keys --name billing",
                    "keys add clinic.keys --name letters --pair",
                ]
            )
        )
    }

    @Argument(help: "The key file.", completion: .file())
    var file: String

    @Option(help: "The key's name, which expressions refer to: sealed(key: \"billing\").")
    var name: String

    @Flag(help: "Add a key pair: sealed(to: \"letters\") needs only the public key.")
    var pair = false

    @OptionGroup var passphrase: PassphraseOptions

    func run() throws {
        let session = Session.current
        let ring = try KeyFile(file, passphrase, session)
            .update { ring in
                try pair ? ring.addingKeyPair(named: name) : ring.addingKey(named: name)
            }
        let id = ring.generations(of: name).map { "\($0.id)" }.joined(separator: ", ")
        try session.print("“\(file)” has the new \(pair ? "key pair" : "key") “\(name)”, \(id)")
    }
}
