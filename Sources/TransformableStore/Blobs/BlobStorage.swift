internal import Foundation
internal import Transformable

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

extension StoredAttribute {
    /// Decodes a cell, or the blob that it refers to.
    func load(
        _ row: PackedRow,
        _ cell: Int,
        in place: TransformContext,
        _ blobs: BlobStorage?,
        on connection: any EngineConnection
    ) throws -> Slot {
        guard isExternal, failure == nil, let blobs, let uuid = BlobRecord.uuid(in: row, cell) else {
            return load(row, cell, in: place)
        }
        return try load(in: place) {
            let blob = try BlobFile(BlobRecord.find(uuid, at: place, on: connection), in: blobs, on: connection)
            return try ValueStream(ValueSource(.file(blob), of: self, at: place)).readAll()
        }
    }

    /// Decodes the output of the tail, which a closure reads.
    ///
    /// A failure that is not about the bytes is thrown rather than kept in the slot, because the next attempt to read
    /// them may succeed.
    func load(in place: TransformContext, reading head: () throws -> Data) throws -> Slot {
        let bytes: Data
        do {
            bytes = try head()
        } catch let error as StoreError {
            guard error.concernsStoredBytes else { throw located(error, .inputOutput, number: place.object) }
            return load({ throw error }, in: place)
        }
        return load({ bytes }, in: place)
    }
}

extension StoreError {
    /// Whether the error is about bytes that are stored, rather than about an attempt to read them.
    var concernsStoredBytes: Bool { [.undecodable, .missingBlob, .damagedBlob, .limitExceeded].contains(code) }

    /// Whether a stored value cannot be decoded, as opposed to an object that cannot be read, or a hook that failed.
    package var isFailureToDecode: Bool {
        concernsStoredBytes || [.missingValue, .unresolvedTransformer, .signatureMismatch].contains(code)
    }
}

extension StoreContext {
    /// Decodes a cell of an entity, or the blob that it refers to.
    ///
    /// The result for a blob that is still pending is a slot whose failure says so.
    func load(
        _ attribute: StoredAttribute,
        of entity: StoredEntity,
        _ row: PackedRow,
        _ cell: Int,
        in place: TransformContext
    ) throws -> Slot {
        guard attribute.isExternal else { return attribute.load(row, cell, in: place) }
        if BlobRecord.uuid(in: row, cell) != nil, let number = place.object,
            let slot = identities[entity, number]?.unsaved(attribute), slot.pending != nil
        {
            return slot
        }
        return try connected { try attribute.load(row, cell, in: place, schema.blobs, on: $0) }
    }
}
