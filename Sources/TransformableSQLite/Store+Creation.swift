package import Foundation
package import Transformable
package import TransformableStore

extension Store {
    /// Creates a store that appears as a whole or not at all.
    ///
    /// Nothing that already exists is replaced or removed, even if it appears while the store is being created.
    ///
    /// - Parameters:
    ///   - url: The store's file. It must not exist, and neither must a folder of external values or a log next to it.
    ///   - model: The model.
    ///   - registry: The registry that contains the model's transformers.
    ///   - unresolved: What to do about transformers that the registry does not contain.
    ///   - watch: Removes what is unfinished when the process is interrupted.
    ///   - fill: A closure that fills the store before it appears.
    /// - Returns: The result of the closure.
    /// - Throws: `StoreError` with the code `file-exists`, errors of opening a store, and errors thrown by the closure.
    package static func create<Result>(
        at url: URL,
        model: Model,
        transformers registry: TransformerRegistry,
        unresolved: Options.Unresolved = .refuse,
        watch: (any WorkingFolderWatch)?,
        filling fill: (Store) throws -> Result
    ) throws -> Result {
        let path = url.standardizedFileURL.path
        let working = try NewFile.folder(for: NewFile.storeFiles(path), watch: watch)
        return try NewFile.build(path, in: working) {
            let unfinished = URL(filePath: working.result)
            var options = Options.create
            options.unresolved = unresolved
            let store = try Store(at: unfinished, model: model, transformers: registry, options: options)
            let result = Swift.Result { try fill(store) }
            try store.close()
            let filled = try result.get()
            try NewFile.publish(working, as: path, suffixes: [BlobFolder.path(of: "")])
            return filled
        }
    }
}
