internal import ArgumentParser
internal import Foundation
internal import Transformable
internal import TransformableStore

/// What is believed of a store's file.
struct TrustOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The model that the store must have; it decides how values are read and written, and not the file's own.",
            valueName: "file"
        ),
        completion: .file(extensions: ["json"])
    )
    var model: String?

    @OptionGroup var acceptance: AcceptanceOption

    /// Opens a store as far as it is believed.
    ///
    /// - Parameters:
    ///   - url: The store's file.
    ///   - registry: The transformers.
    ///   - options: How it is opened otherwise.
    ///   - session: The run.
    /// - Returns: The store.
    /// - Throws: `StoreError`, and what reading the model throws.
    func open(
        _ url: URL,
        _ registry: TransformerRegistry,
        _ options: Store.Options,
        _ session: Session
    ) throws -> Store {
        var options = options
        options.acceptingModel = acceptance.acceptModel
        options.pinsModel = model != nil
        let pinned = try model.map { try Model(json: InputSource.file($0).read(session.io)) }
        return try Store(at: url, model: pinned, transformers: registry, options: options)
    }
}

/// Whether a store is taken as it is.
struct AcceptanceOption: ParsableArguments {
    @Flag(help: "Take the store's model and tables as they are, although they are not sealed, or otherwise.")
    var acceptModel = false
}
