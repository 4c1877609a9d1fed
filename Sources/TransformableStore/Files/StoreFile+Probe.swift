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
        guard let queue = try? queue(path, "immutable=1", configuration) else { return }
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
}
