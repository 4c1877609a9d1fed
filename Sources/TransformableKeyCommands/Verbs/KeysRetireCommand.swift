internal import ArgumentParser
internal import EncryptionPlugin
internal import TransformableCommands

/// `keys retire`: retires a key that no value needs.
struct KeysRetireCommand: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "retire",
            abstract: "Retire a key, unless a value in a store needs it.",
            discussion: Help.lines(
                """
                Name every store that may contain values sealed with the key; the key is not retired if one \
                of them still needs it. A retired key stays in the file but does not open anything. Bring it \
                back with --undo.
                """,
                examples: [
                    "keys retire clinic.keys 54b1c80e7d3f2a96 --store clinic.sqlite --store archive.sqlite",
                    "keys retire clinic.keys 54b1c80e7d3f2a96 --undo",
                ]
            )
        )
    }

    @Argument(help: "The key file.", completion: .file())
    var file: String

    @Argument(help: "The key's id: 16 hexadecimal digits, as shown by “keys list”.")
    var id: String

    @Option(
        name: .customLong("store"),
        help: ArgumentHelp("A store to check for values that need the key; can be repeated.", valueName: "file"),
        completion: .file()
    )
    var stores: [String] = []

    @Option(help: StoreAddress.schemaHelp)
    var schema: String?

    @Flag(help: "Retire the key without checking any store.")
    var unchecked = false

    @Flag(help: "Reactivate a retired key.")
    var undo = false

    @OptionGroup var passphrase: PassphraseOptions

    func validate() throws {
        guard KeyID(id) != nil else { throw ValidationError("a key's id is 16 lowercase hexadecimal digits") }
        guard !undo || (stores.isEmpty && !unchecked) else {
            throw ValidationError("--undo cannot be combined with --store or --unchecked")
        }
        guard undo || stores.isEmpty == unchecked else {
            throw ValidationError("give --store for every store that may need the key, or --unchecked")
        }
    }

    func run() throws {
        let session = Session.current
        let keys = try KeyFile(file, passphrase, session)
        let ring = try keys.ring
        guard let key = KeyID(id), let name = ring.name(of: key) else {
            throw CommandError(.keyMissing, "the key file has no key \(id); list its keys with “keys list”")
        }
        if undo {
            try keys.update { try $0.reactivating(key) }
            return try session.print(saved: "the key \(id) of “\(name)” is active again")
        }
        // Keys that cannot be retired in any case are rejected before the stores are read.
        _ = try ring.retiringUnchecked(key)
        try session.withStores(StoreAddress.list(stores, schema: schema)) { stores in
            var usage = try KeyUsage()
            try keys.update { current in
                // Once the file has changed, no store is read, because that can fail.
                usage = try KeyUsage(of: stores)
                try usage.requireNoNeed(of: key)
                return try current.retiringUnchecked(key)
            }
            // The key file may belong to other stores.
            session.tell(ofKeysMissingIn: ring, usage)
        }
        try session.print(saved: "the key \(id) of “\(name)” is retired")
    }
}
