internal import ArgumentParser
internal import EncryptionPlugin
internal import Foundation
internal import TransformableCommands

/// `keys new`: creates a key file with one key.
struct KeysNewCommand: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "new",
            abstract: "Create a key file with one random key.",
            discussion: Help.lines(
                """
                The file must not exist yet. Keep a copy in a safe place: without the key, the values that \
                are sealed with it are lost. If you protect the file with a passphrase and forget it, the \
                keys are lost as well. A key pair seals values with its public key, and opens them only with \
                its secret key.
                """,
                examples: [
                    "keys new clinic.keys --name clinic",
                    "keys new clinic.keys --passphrase",
                    "keys new clinic.keys --name letters --pair --passphrase-file passphrase.txt",
                    "encode 'text | sealed' --in ssn.txt --key-file clinic.keys --out ssn.bin",
                ]
            )
        )
    }

    @Argument(help: "The key file to create.", completion: .file())
    var file: String

    @Option(help: "The key's name, which expressions refer to: sealed(key: \"clinic\").")
    var name = "default"

    @Flag(help: "Create a key pair: sealed(to: \"letters\") needs only the public key.")
    var pair = false

    @Flag(name: .customLong("passphrase"), help: "Ask for a passphrase at the terminal, twice.")
    var asks = false

    @OptionGroup var passphrase: PassphraseOptions

    func validate() throws {
        if asks, passphrase.source != nil {
            throw ValidationError("--passphrase cannot be combined with another source of the passphrase")
        }
    }

    func run() throws {
        let ring = try pair ? KeyRing.empty.addingKeyPair(named: name) : KeyRing.empty.addingKey(named: name)
        let session = Session.current
        let passphrase =
            try asks ? session.askForNewPassphrase(orReadFrom: "--passphrase-file") : passphrase.source?.read()
        try KeyFile.create(file) { url in
            guard let passphrase else { return try ring.write(to: url) }
            try ring.write(to: url, passphrase: passphrase)
        }
        let id = ring.generations(of: name).map { "\($0.id)" }.joined(separator: ", ")
        let kind = pair ? "key pair" : "key"
        try session.print(saved: "created “\(file)” with the \(kind) “\(name)”, \(id)")
    }
}
