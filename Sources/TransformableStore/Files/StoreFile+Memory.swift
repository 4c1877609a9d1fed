internal import Foundation
internal import GRDB
internal import Glibc
internal import Transformable

/// Stores in memory.
///
/// SQLite's own in-memory databases have no write-ahead log, so readers would have to wait for the writer. Files in
/// `/dev/shm` are in memory as well, and have a log.
extension StoreFile {
    private static let memory = "/dev/shm"
    private static let name = "memory"
    /// The free space that is required there.
    ///
    /// Containers often have next to none.
    private static let leastRoom = 256 << 20

    static func openInMemory(
        model: Model,
        registry: TransformerRegistry,
        options: Store.Options
    ) throws -> Opened {
        try Store.check(model, registry, options)
        return try Failure.translate {
            let folder = hasRoom ? WorkingFolder(in: memory, watch: nil) : nil
            let database: any DatabaseWriter =
                try folder.map { folder in
                    let path = "\(folder.path)/\(name)"
                    return try DatabasePool(path: path, configuration: configuration(options, log: path))
                } ?? DatabaseQueue(configuration: configuration(options))
            var opened = try prepare(database, model: model, registry: registry, options: options)
            opened.folder = folder
            return opened
        }
    }

    /// Returns a Boolean value that indicates whether a path is that of a store in memory, which keeps external values
    /// in its table.
    static func isInMemory(_ path: String) -> Bool {
        path.hasPrefix("\(memory)/\(WorkingFolder.prefix)") && path.hasSuffix("/\(name)")
    }

    private static var hasRoom: Bool {
        var status = statvfs()
        guard unsafe statvfs(memory, &status) == 0, unwritable(memory) == nil else { return false }
        return status.f_bavail.multipliedReportingOverflow(by: status.f_frsize).partialValue >= UInt(leastRoom)
    }
}
