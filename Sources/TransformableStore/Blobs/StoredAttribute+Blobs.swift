internal import Transformable

extension StoredAttribute {
    /// Decodes a cell, or the blob that it refers to.
    func load(
        _ row: PackedRow,
        _ cell: Int,
        in place: TransformContext,
        _ blobs: BlobStorage?,
        on connection: any EngineConnection
    ) -> Slot {
        guard isExternal, failure == nil, let blobs, let uuid = BlobRecord.uuid(in: row, cell) else {
            return load(row, cell, in: place)
        }
        return load(
            {
                let blob = try BlobFile(BlobRecord.find(uuid, at: place, on: connection), in: blobs, on: connection)
                return try ValueStream(ValueSource(.file(blob), of: self, at: place)).readAll()
            },
            in: place
        )
    }
}

extension StoreContext {
    /// Decodes a cell, or the blob that it refers to.
    func load(_ attribute: StoredAttribute, _ row: PackedRow, _ cell: Int, in place: TransformContext) throws -> Slot {
        guard attribute.isExternal else { return attribute.load(row, cell, in: place) }
        return try connected { attribute.load(row, cell, in: place, schema.blobs, on: $0) }
    }
}
