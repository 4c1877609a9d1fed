internal import Foundation
internal import GRDB
internal import TransformableStore

extension StoreFile {
    /// Throws an error for a file that is not a store, before it is opened for writing, which would change it.
    ///
    /// - Throws: `StoreError` with the code `not-a-store` or `newer-format`.
    static func requireStore(_ path: String, mayBeEmpty: Bool, _ options: Store.Options) throws {
        guard !isPlainlyStore(path) else { return }
        var configuration = configuration(options)
        configuration.readonly = true
        // Opening the file for writing gives better errors for other failures, and repairs what a killed process left
        // behind.
        guard let queue = try? queue(path, "immutable=1", configuration) else { return }
        defer { try? queue.close() }
        do {
            let kind = try queue.read { try Metadata.kind(of: SQLiteConnection($0)) }
            guard kind == .store || mayBeEmpty || logSize(path) > 0 else {
                throw StoreError(.notAStore, "the file is empty, so it is not a store")
            }
        } catch let error as StoreError where [.notAStore, .newerFormat].contains(error.code) {
            throw error
        } catch {}
    }

    /// Returns whether the header says that the file is a store of a known format; anything else needs a closer look.
    private static func isPlainlyStore(_ path: String) -> Bool {
        guard let connection = try? BareConnection(uri(path, "mode=ro&immutable=1")),
            connection.integer("PRAGMA application_id") == Metadata.applicationID,
            let format = connection.integer("PRAGMA user_version")
        else { return false }
        return format <= Metadata.format
    }
}
