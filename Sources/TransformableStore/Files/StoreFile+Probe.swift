internal import Foundation
internal import GRDB

extension StoreFile {
    /// Refuses a file that is no store before it is opened for writing, which would already change it.
    ///
    /// - Throws: ``StoreError`` with ``StoreError/Code/notAStore`` or ``StoreError/Code/newerFormat``.
    static func requireStore(_ path: String, mayBeEmpty: Bool, _ options: Store.Options) throws {
        var configuration = configuration(options)
        configuration.readonly = true
        // Whatever fails otherwise says more when the file is opened for writing, which also mends what a kill left.
        guard let queue = try? unchangingQueue(path, configuration) else { return }
        defer { try? queue.close() }
        do {
            let kind = try queue.read { try Metadata.kind(of: $0) }
            guard kind == .store || mayBeEmpty || logSize(path) > 0 else {
                throw StoreError(.notAStore, "the file is empty, and not a store")
            }
        } catch let error as StoreError where [.notAStore, .newerFormat].contains(error.code) {
            throw error
        } catch {}
    }

    /// A connection that reads the database alone: it takes no locks, and makes no files to coordinate by.
    static func unchangingQueue(_ path: String, _ configuration: Configuration) throws -> DatabaseQueue {
        let characters = CharacterSet.urlPathAllowed.subtracting(CharacterSet(charactersIn: "?#%"))
        guard let escaped = path.addingPercentEncoding(withAllowedCharacters: characters) else {
            throw StoreError(.inputOutput, "the file's path is no text")
        }
        return try DatabaseQueue(path: "file:\(escaped)?immutable=1", configuration: configuration)
    }

    /// How many bytes of writes the database may not have yet.
    static func logSize(_ path: String) -> Int {
        (try? FileManager.default.attributesOfItem(atPath: path + "-wal")[.size]) as? Int ?? 0
    }
}
