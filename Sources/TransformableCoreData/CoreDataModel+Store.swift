internal import Foundation
internal import TransformableSQLite
internal import TransformableStore

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
