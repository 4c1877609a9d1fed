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
                its model or tables unnoticed without the key. If you give the key file, every command checks \
                the seal before it reads or writes a value, and exits with status 78 if the seal does not match \
                the file. A store without a seal can only be read, and only if it contains nothing confidential.

                Use --accept-model to seal the file as it is. Do so once for a store that has objects and was \
                created without keys, or that you have changed yourself. If the key of the seal is lost, add \
                --lost-key. After “keys rotate”, this command and “store reseal” renew the seal with the new \
                key, so first give the new key file to every program.

                Values that a lost key has sealed stay lost. Remove them with “store update --where true \
                --null NAME --replace-damaged”, or set a value if the attribute is not optional. Then rebuild \
                the blind indexes with “store reseal”. Until then, no search can use an index that depends on \
                the lost key.

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

    @Flag(help: "Accept rows as they are, for entities that authenticate their rows.")
    var acceptRows = false

    @Flag(help: "With --accept-model, also accept that a key is lost. That key can no longer open the store.")
    var lostKey = false

    @OptionGroup var keys: Keys

    private var acceptsModel: Bool { file.trust.acceptModel }

    func validate() throws {
        if lostKey, !acceptsModel { throw ValidationError("--lost-key requires --accept-model") }
    }

    func run() throws {
        let session = Session.current
        let registry = try keys.registry(session)
        guard registry.sealer?.canSeal == true else {
            let way = session.hasKeys ? "; specify the key file with --key-file" : ""
            throw CommandError(.keyMissing, "checking the seal requires its secret key\(way)")
        }
        let checked = try acceptsModel || acceptRows ? nil : checkedKey(registry, session)
        let key = try checked ?? newKey(registry)
        if acceptRows { try session.print("the rows are accepted as they are") }
        let isKept = checked != nil || (acceptRows && !acceptsModel)
        try session.print(isKept ? "the seal matches; its key is \(key)" : "sealed with the key \(key)")
    }

    /// Checks the seal without changing the file, and returns its key, or `nil` if there is a newer key or no seal yet.
    private func checkedKey(_ registry: TransformerRegistry, _ session: Session) throws -> String? {
        let store = try Store.openedToRead(file.address, registry, session, believing: file.trust)
        defer { try? store.close() }
        if let warning = store.trustWarning { throw warning }
        return try store.isSealOutdated ? nil : store.sealKey()
    }

    /// Seals the store, and returns the key.
    private func newKey(_ registry: TransformerRegistry) throws -> String {
        try file.change(registry, acceptsLostKey: lostKey, acceptsUnauthenticatedRows: acceptRows) { store in
            try store.renewOutdatedSeal()
            return try store.sealKey() ?? ""
        }
    }
}
