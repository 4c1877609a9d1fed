internal import ArgumentParser
internal import EncryptionPlugin
internal import Foundation

/// `keys retire`: takes a key out of use that no value needs.
struct KeysRetireCommand: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "retire",
            abstract: "Take a key out of use, unless a value of a store needs it.",
            discussion: Help.lines(
                """
                Every store that the key may have sealed values of is to be named; it is refused while one of \
                them needs the key. A retired key stays in the file and opens nothing; --undo brings it back.
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

    @Argument(help: "The key's id: 16 hexadecimal digits, as “keys list” shows them.")
    var id: String

    @Option(
        name: .customLong("store"),
        help: ArgumentHelp("A store to look through; may be given several times.", valueName: "file"),
        completion: .file()
    )
    var stores: [String] = []

    @Flag(help: "Look through no store.")
    var unchecked = false

    @Flag(help: "Use a retired key again.")
    var undo = false

    @OptionGroup var passphrase: PassphraseOptions

    func validate() throws {
        guard KeyID(id) != nil else { throw ValidationError("a key's id has 16 hexadecimal digits in lower case") }
        guard !undo || (stores.isEmpty && !unchecked) else { throw ValidationError("--undo looks through no store") }
        guard undo || stores.isEmpty == unchecked else {
            throw ValidationError("give --store for each store that may need the key, or --unchecked")
        }
    }

    func run() throws {
        let session = Session.current
        let keys = try KeyFile(file, passphrase, session)
        let ring = try keys.ring
        guard let key = KeyID(id), let name = ring.name(of: key) else {
            throw CommandError(.usage, "the key file has no key \(id); “keys list” shows which it has")
        }
        if undo {
            try keys.update { try $0.reactivating(key) }
            return try session.print("the key \(id) of “\(name)” is active again")
        }
        // Whether it may be retired at all is said before stores are read.
        _ = try ring.retiringUnchecked(key)
        try session.withStores(stores) { stores in
            _ = try keys.update { try unchecked ? $0.retiringUnchecked(key) : $0.retiring(key, checking: stores) }
        }
        try session.print("the key \(id) of “\(name)” is retired")
    }
}
