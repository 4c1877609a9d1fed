internal import ArgumentParser
internal import Transformable
internal import TransformableStore

/// `store seal`: checks the seal of a store's model and tables.
struct StoreSealCommand<Keys: KeySource>: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "seal",
            abstract: "Check the seal of a store's model and tables, or accept them as they are.",
            discussion: Help.lines(
                """
                A store that is created or accepted with a key file has a seal, so that nobody can change \
                its model or tables unnoticed without the key. Every command checks the seal before it reads \
                or writes a value, and exits with status 78 if the seal is missing or does not match the \
                file. Use --accept-model to seal the file as it is. Do so once for a store that has objects \
                and was created without keys, or that you have changed yourself.

                Entities can also authenticate their rows. A row that was changed without the key is not read, \
                and “store verify” lists all such rows. Use --accept-rows to authenticate the rows as they are.
                """,
                examples: [
                    .withKeys("store seal clinic.sqlite --key-file clinic.keys"),
                    .withKeys("store seal clinic.sqlite --key-file clinic.keys --accept-model"),
                    .withKeys("store seal clinic.sqlite --key-file clinic.keys --accept-rows"),
                ]
            )
        )
    }

    @OptionGroup var file: StoreArgument

    @Flag(help: "Accept the rows of entities that authenticate their rows, as they are.")
    var acceptRows = false

    @OptionGroup var keys: Keys

    func run() throws {
        let session = Session.current
        let registry = try keys.registry(session)
        guard registry.sealer?.canSeal == true else {
            let way = session.hasKeys ? "; specify the key file with --key-file" : ""
            throw CommandError(.keyMissing, "checking the seal requires its secret key\(way)")
        }
        let key = try file.change(registry, acceptingRows: acceptRows) { try $0.sealKey() } ?? ""
        if acceptRows { try session.print("the rows are accepted as they are") }
        let isAccepted = file.trust.acceptance.acceptModel
        try session.print(isAccepted ? "sealed with the key \(key)" : "the seal matches; its key is \(key)")
    }
}
