internal import ArgumentParser
internal import Transformable
internal import TransformableStore

/// Whether the model in a store's file is trusted.
struct ModelTrust {
    /// The file with the model to use in place of it.
    let model: String?
    /// Whether the store's model and tables are accepted as they are.
    let acceptModel: Bool

    static let acceptanceHelp: ArgumentHelp =
        "Accept the store's model and tables as they are, even if their seal is missing or does not match."

    /// Opens a store according to the trust options.
    ///
    /// - Parameters:
    ///   - address: Where the store is.
    ///   - registry: The transformers.
    ///   - options: The other options to open the store with.
    ///   - session: The session.
    /// - Returns: The store.
    /// - Throws: `StoreError` if the store cannot be opened, and any error thrown while the model is read.
    func open(
        _ address: StoreAddress,
        _ registry: TransformerRegistry,
        _ options: Store.Options,
        _ session: Session
    ) throws -> Store {
        var options = options
        options.acceptsUnauthenticatedModel = acceptModel
        options.pinsModel = model != nil
        let pinned = try model.map { try InputSource.file($0).readModel(session.io) }
        return try address.open(model: pinned, registry, options)
    }
}

/// How the tables of a new store in a database are distributed.
struct DistributionOption: ParsableArguments {
    @Flag(
        help: ArgumentHelp(
            "In a database, distribute the rows by tenant over the servers of a Citus cluster.",
            visibility: ConnectedServers.current == nil ? .hidden : .default
        )
    )
    var distribute = false

    /// Throws an error if the new store is to be distributed, but is a file.
    func check(for address: StoreAddress) throws(CommandError) {
        guard distribute, address.isFile else { return }
        throw CommandError(.usage, "--distribute requires the address of a database")
    }
}

/// Whether setting an attribute may replace stored bytes that cannot be decoded.
struct DamagedOption: ParsableArguments {
    @Flag(
        name: .customLong("replace-damaged"),
        help: """
            Also replace values that cannot be decoded, whose stored bytes are lost, and projections that do not match the \
            value.
            """
    )
    var isReplaced = false
}
