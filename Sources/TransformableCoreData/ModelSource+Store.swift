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

extension CoreDataModel {
    /// Reads the copy of a model that Core Data or SwiftData keeps in a store.
    ///
    /// Nothing is written.
    ///
    /// - Parameter path: The store's file.
    /// - Throws: `CoreDataError` if the store cannot be read or contains no model.
    public init(storeAt path: String) throws(CoreDataError) {
        guard let cache = try Self.cache(inStoreAt: path) else {
            let message = "the database contains no copy of a Core Data model; give the app's .xcdatamodeld instead"
            throw CoreDataError(.notAModel, message, file: path)
        }
        do {
            try self.init(cache: cache)
        } catch {
            throw error.with(file: path)
        }
    }

    private static func cache(inStoreAt path: String) throws(CoreDataError) -> Data? {
        do {
            return try CoreDataError.translating(path) {
                let file = try ForeignFile(path: path)
                defer { file.close() }
                return try file.read { try CoreDataStoreOpening.cache($0, $0.tables()) }
            }
        } catch let error as CoreDataError {
            throw error
        } catch {
            throw CoreDataError(.inputOutput, "the store cannot be read", file: path, underlying: error)
        }
    }
}
