internal import Foundation
internal import Transformable
internal import TransformableModel
internal import TransformableSQLite
internal import TransformableStore

extension ModelSource {
    /// Reads a model from a file, a folder, or a store.
    ///
    /// - Parameters:
    ///   - path: A model as a file or folder, or a Core Data store, a SwiftData store, or a store of this library.
    ///   - version: The name of the version, or `nil` for the current one.
    /// - Returns: The model.
    /// - Throws: `CoreDataError`, or `StoreError` if the model is invalid JSON, or if a store cannot be read.
    package static func reading(_ path: String, version: String? = nil) throws -> Self {
        guard try version == nil && !ModelPath.isFolder(path) && ModelPath.isDatabase(path) else {
            return try Self(contentsOf: path, version: version)
        }
        do {
            return .coreData(try CoreDataModel(storeAt: path))
        } catch {
            guard error.code == .notAModel, let model = try stored(at: path) else { throw error }
            return .stored(model, path: path)
        }
    }

    /// Returns the model of a store, or `nil` for any other file.
    private static func stored(at path: String) throws -> Model? {
        // A store has an application ID at byte 68. Opening any other database could create files next to it.
        guard try ModelPath.start(of: path, count: 72).dropFirst(68).contains(where: { $0 != 0 }) else { return nil }
        var options = Store.Options(opening: .readOnly, unresolved: .keepBytes)
        options.isBrief = true
        do {
            let store = try Store(at: URL(filePath: path), transformers: TransformerRegistry {}, options: options)
            defer { try? store.close() }
            return store.model
        } catch let error as StoreError where error.code == .notAStore {
            return nil
        }
    }
}
