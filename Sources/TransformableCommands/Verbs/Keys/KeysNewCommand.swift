internal import ArgumentParser
internal import EncryptionPlugin
internal import Foundation

/// `keys new`: a new key file with one key.
struct KeysNewCommand: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "new",
            abstract: "Make a key file with one random key.",
            discussion: Help.lines(
                """
                The file must not be there yet. Keep a copy in a safe place: what is sealed with a key is lost \
                without it. With a passphrase the file is sealed itself; whoever forgets it has no keys either. A \
                pair seals with its public key, and opens with its secret one only.
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

    @Argument(help: "The key file to make.", completion: .file())
    var file: String

    @Option(help: "The key's name, by which expressions pick it: sealed(key: \"clinic\").")
    var name = "default"

    @Flag(help: "Make a pair of keys: sealed(to: \"letters\") needs the public one only.")
    var pair = false

    @Flag(name: .customLong("passphrase"), help: "Ask for a passphrase at the terminal, twice.")
    var asks = false

    @OptionGroup var passphrase: PassphraseOptions

    func validate() throws {
        if asks, passphrase.source != nil { throw ValidationError("the passphrase is given twice") }
    }

    func run() throws {
        let ring = try pair ? KeyRing.empty.addingKeyPair(named: name) : KeyRing.empty.addingKey(named: name)
        let passphrase = try asks ? Session.current.askForNewPassphrase() : passphrase.source?.read()
        try KeyFile.create(file) { url in
            guard let passphrase else { return try ring.write(to: url) }
            try ring.write(to: url, passphrase: passphrase)
        }
        let id = ring.generations(of: name).map { "\($0.id)" }.joined(separator: ", ")
        let kind = pair ? "key pair" : "key"
        try Session.current.print("made “\(file)” with the \(kind) “\(name)”, \(id)")
    }
}
