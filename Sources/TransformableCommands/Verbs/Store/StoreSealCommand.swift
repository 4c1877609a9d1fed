internal import ArgumentParser
internal import Transformable
internal import TransformableStore

/// `store seal`: whether a store's model and tables are genuine.
struct StoreSealCommand: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "seal",
            abstract: "Check the seal of a store's model and tables, or accept them as they are.",
            discussion: Help.lines(
                """
                A store that is made or accepted with a key file has a seal: nobody without a key can change its model or \
                tables unnoticed. Each verb checks it before it reads or writes a value, and ends with status 78 if it is \
                missing or not that of the file. With --accept-model the file is taken as it is, and sealed; do so once for a \
                store that was made without keys, or that you have changed yourself.
                """,
                examples: [
                    "store seal clinic.sqlite --key-file clinic.keys",
                    "store seal clinic.sqlite --key-file clinic.keys --accept-model",
                ]
            )
        )
    }

    @OptionGroup var file: StoreArgument
    @OptionGroup var keys: KeyOptions

    func run() throws {
        let session = Session.current
        let registry = try keys.registry(session)
        guard registry.sealer?.canSeal == true else {
            throw CommandError(.keyMissing, "give the key file of the seal: a secret key makes and checks it")
        }
        let key = try file.change(registry) { try $0.sealKey() }
        try session.print("sealed under the key \(key ?? "")")
    }
}
