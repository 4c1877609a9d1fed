internal import ArgumentParser
internal import EncryptionPlugin
internal import Foundation
internal import TransformableCommands

/// `keys`: groups the commands for key files.
struct KeysCommand: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "keys",
            abstract: "Create and change key files.",
            discussion: Help.lines(
                """
                A key file contains named keys. It must be readable only by its owner; a file that others \
                can read is refused. Several programs can change a key file at the same time.
                """,
                examples: [
                    "keys new clinic.keys --name clinic",
                    "keys rotate clinic.keys",
                    "keys list clinic.keys --store clinic.sqlite",
                    "keys retire clinic.keys 54b1c80e7d3f2a96 --store clinic.sqlite",
                ]
            ),
            subcommands: [
                KeysNewCommand.self, KeysListCommand.self, KeysAddCommand.self, KeysImportCommand.self,
                KeysPublicCommand.self, KeysPassphraseCommand.self, KeysRotateCommand.self, KeysRetireCommand.self,
            ]
        )
    }
}

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

    @Flag(help: "Add a key pair, so that sealed(to: \"letters\") needs only the public key.")
    var pair = false

    @OptionGroup var passphrase: PassphraseOptions

    func run() throws {
        let session = Session.current
        let ring = try KeyFile(file, passphrase, session)
            .update { ring in
                try pair ? ring.addingKeyPair(named: name) : ring.addingKey(named: name)
            }
        let id = ring.generations(of: name).map { "\($0.id)" }.joined(separator: ", ")
        try session.print(saved: "“\(file)” has the new \(pair ? "key pair" : "key") “\(name)”, \(id)")
    }
}

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
        var former = ""
        let ring = try KeyFile(file, passphrase, session)
            .update { ring in
                try requireKey(in: ring)
                former = primary(of: ring)
                return try ring.rotatingKey(named: name)
            }
        let key = name ?? ring.defaultName ?? ""
        try session.print(saved: "“\(key)” now seals with \(primary(of: ring)); \(former) still opens old values")
    }

    private func requireKey(in ring: KeyRing) throws(CommandError) {
        guard let key = name ?? ring.defaultName, ring.names.contains(key) else {
            let lack = name.map { "no key “\($0)”" } ?? "no default key"
            throw CommandError(.keyMissing, "the key file has \(lack); list its keys with “keys list”")
        }
        guard !ring.generations(of: key).contains(where: { $0.state == .primary && $0.isPublicOnly }) else {
            let way = "rotate it in the file with its secret key, and write a new public part with “keys public”"
            throw CommandError(.keyMissing, "the key file has only the public key of “\(key)”; \(way)")
        }
    }

    /// Returns the identifier of the generation that seals new values.
    private func primary(of ring: KeyRing) -> String {
        let generations = ring.generations(of: name ?? ring.defaultName ?? "")
        return generations.last { $0.state == .primary }.map { "\($0.id)" } ?? ""
    }
}

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
        try session.print(saved: "created “\(out)” with the public keys of \(names)")
    }
}
