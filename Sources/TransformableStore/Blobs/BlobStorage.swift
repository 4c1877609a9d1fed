/// Where a store keeps its external values.
enum BlobStorage: Sendable {
    /// Files in a folder next to the database.
    case folder(BlobFolder)
    /// Pieces in a table of the database.
    case table

    /// Returns where an engine keeps external values, or `nil` if they stay in their cells, as in a store in memory.
    ///
    /// - Parameters:
    ///   - dialect: What the engine can do.
    ///   - file: The path of the database's file, or an empty string if it is not in a file.
    init?(_ dialect: Dialect, file: String) {
        if dialect.has(.externalPieces) {
            self = .table
        } else if dialect.has(.externalFiles), !file.isEmpty {
            self = .folder(BlobFolder(of: file))
        } else {
            return nil
        }
    }

    /// The folder, or `nil` if there is none.
    ///
    /// In a table, a snapshot keeps what it sees.
    var folder: BlobFolder? {
        if case .folder(let folder) = self { folder } else { nil }
    }
}

extension EngineConnection {
    /// Returns the storage of external values in a table.
    ///
    /// - Throws: `StoreError` with the code `unsupported` if they are kept in files.
    func requirePieces() throws(StoreError) -> any PieceStorage {
        guard let pieces else { throw dialect.unsupported("keeping external values in a table") }
        return pieces
    }
}
