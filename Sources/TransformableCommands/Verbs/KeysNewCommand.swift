internal import ArgumentParser
internal import EncryptionPlugin
internal import Foundation
internal import Transformable

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
                    "encode 'text | sealed' secret --key-file clinic.keys --out ssn.bin",
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
        if access(file, F_OK) == 0 { throw CommandError.keyFileExists(file) }
        let passphrase = try asks ? askTwice() : passphrase.source?.read()
        do {
            if let passphrase {
                try ring.write(to: URL(filePath: file), passphrase: passphrase)
            } else {
                try ring.write(to: URL(filePath: file))
            }
        } catch let error as TransformerError where error.code == .unreadableKeyFile {
            throw CommandError(.cannotCreate, ErrorLine.sentence(for: error))
        }
        let id = ring.generations(of: name).map { "\($0.id)" }.joined(separator: ", ")
        let kind = pair ? "pair of keys" : "key"
        try Session.current.print("made “\(file)” with the \(kind) “\(name)”, \(id)")
    }

    /// What is typed unseen is typed twice.
    private func askTwice() throws -> SecureBytes {
        let io = Session.current.io
        guard io.isInputTerminal || io.isMessagesTerminal else {
            throw TransformerError(.passphraseNeeded, "there is no terminal to ask for the passphrase")
        }
        let first = try PassphraseSource.terminal(prompt: "New passphrase: ").read()
        let second = try PassphraseSource.terminal(prompt: "Again: ").read()
        guard first == second else { throw CommandError(.badInput, "the two passphrases differ") }
        return first
    }
}

extension CommandError {
    fileprivate static func keyFileExists(_ path: String) -> Self {
        let way = "choose another name, since nothing that its keys have sealed opens without them"
        return Self(.cannotCreate, "“\(path)” is there already; \(way)")
    }
}
