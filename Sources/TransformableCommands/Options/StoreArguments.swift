internal import ArgumentParser
internal import Transformable
internal import TransformableCoreData
internal import TransformableStore

/// The path of a store, or its address on a server.
struct StorePath: ParsableArguments {
    @Argument(help: StorePath.help, completion: .file())
    var store: String

    @Option(help: StoreAddress.schemaHelp)
    var schema: String?

    /// What the program can open depends on the servers that it can connect to.
    fileprivate static var help: ArgumentHelp {
        ConnectedServers.current == nil
            ? "The store's file." : "The store's file, or the address of a database, such as “postgres:service=clinic”."
    }

    /// Where the store is.
    ///
    /// - Throws: ``CommandError`` with the code ``CommandError/Code/usage`` if a schema is named for a file.
    var address: StoreAddress {
        get throws(CommandError) { try StoreAddress(store, schema: schema) }
    }

    func validate() throws {
        try Self.validate(store)
    }

    fileprivate static func validate(_ store: String) throws {
        if store.isEmpty { throw ValidationError("the name of the store's file is empty") }
    }
}

/// The store that a command works with, and the trust options.
///
/// Its options are not groups: ArgumentParser validates nested groups in exponential time in debug builds.
struct StoreArgument: ParsableArguments {
    @Argument(help: StorePath.help, completion: .file())
    var store: String

    @Option(help: StoreAddress.schemaHelp)
    var schema: String?

    @Option(
        help: ArgumentHelp(
            "The model to read and write values with, in place of the model in the store's file. The two must match.",
            valueName: "file"
        ),
        completion: .file(extensions: ["json"])
    )
    var model: String?

    @Flag(help: ModelTrust.acceptanceHelp)
    var acceptModel = false

    /// Whether the model in the store's file is trusted.
    var trust: ModelTrust { ModelTrust(model: model, acceptModel: acceptModel) }

    /// Where the store is.
    var address: StoreAddress {
        get throws(CommandError) { try StoreAddress(store, schema: schema) }
    }

    func validate() throws {
        try StorePath.validate(store)
    }

    /// Opens the store for display: read-only, and even if not all of it can be read.
    ///
    /// - Parameters:
    ///   - keys: The keys.
    ///   - session: The session.
    /// - Returns: The store and the transformers it was opened with.
    /// - Throws: `StoreError` if the store cannot be opened, and any error thrown while the registry is created.
    func openForReading(_ keys: some KeySource, _ session: Session) throws -> (Store, TransformerRegistry) {
        try session.requireOutput(apartFrom: keys.files)
        let registry = try keys.registry(session)
        return try (openForReading(registry, session), registry)
    }

    /// Opens the store with the given transformers, and warns if the store's integrity cannot be verified.
    func openForReading(
        _ registry: TransformerRegistry,
        _ session: Session,
        at place: StoreAddress? = nil
    ) throws -> Store {
        let store = try Store.openedToRead(place ?? address, registry, session, believing: trust)
        if let warning = store.trustWarning {
            session.tell("warning: \(ErrorLine.sentence(for: warning))")
        } else if trust.model == nil, !trust.acceptModel {
            session.noteUncheckedSeal(of: store, self.store)
        }
        return store
    }

    /// Prints a note for each entity that authenticates its rows if there is no key to check them with.
    func noteUncheckedRows(of store: Store, _ registry: TransformerRegistry, _ session: Session) {
        guard registry.sealer?.canSeal != true else { return }
        for entity in store.model.entities where entity.authenticatesRows {
            session.tell("note: \(entity.name): its rows cannot be checked, because there is no key")
        }
    }

    /// Opens the store for changes, even if not all of it can be read, passes it to a closure, and closes it.
    ///
    /// - Parameters:
    ///   - keys: The keys.
    ///   - session: The session.
    ///   - isRehearsal: Whether `body` reverts what it changes, so that nothing else may change either.
    ///   - body: A closure that changes the store.
    /// - Returns: The result of `body`.
    /// - Throws: `StoreError` if the store cannot be opened, any error thrown while the registry is created, and any
    ///   error thrown by `body`.
    func change<Result>(
        _ keys: some KeySource,
        _ session: Session,
        isRehearsal: Bool = false,
        _ body: (Store) throws -> Result
    ) throws -> Result {
        try change(keys.registry(session), isRehearsal: isRehearsal, body)
    }

    /// Opens the store with the given transformers, passes it to a closure, and closes it.
    func change<Result>(
        _ registry: TransformerRegistry,
        acceptsLostKey: Bool = false,
        acceptsUnauthenticatedRows: Bool = false,
        isRehearsal: Bool = false,
        _ body: (Store) throws -> Result
    ) throws -> Result {
        let address = try address
        try address.requireReadable()
        try Session.current.requireOutput(apartFrom: address.files)
        var options = Store.Options(
            opening: .mustExist,
            unresolved: .keepBytes,
            acceptsLostKey: acceptsLostKey,
            acceptsUnauthenticatedRows: acceptsUnauthenticatedRows
        )
        options.isRehearsal = isRehearsal
        let opened = try trust.open(address, registry, options, Session.current)
        let result = Swift.Result { try body(opened) }
        try? opened.close()
        return try result.get()
    }
}

extension Session {
    /// Prints a note if a store has a seal and there was no key to verify it with.
    ///
    /// A seal that cannot be read is reported by the commands that verify it.
    func noteUncheckedSeal(of store: Store, _ path: String) {
        guard !store.isAuthenticated, let key = try? store.sealKey(), !key.isEmpty else { return }
        tell("note: \(ModelSource.trustNote(for: path))")
    }
}
