internal import Foundation
internal import GRDB
internal import Transformable

extension ManagedObject {
    /// The blob that an attribute's cell names, open for reading; nil if the bytes lie in the cell.
    func blob(_ attribute: StoredAttribute, in row: PackedRow, _ cell: Int) throws -> BlobFile? {
        guard attribute.isExternal, let blobs = context.schema.blobs, let uuid = BlobRecord.uuid(in: row, cell) else {
            return nil
        }
        return try context.connected { database in
            do {
                return try BlobFile(BlobRecord.find(uuid, at: place(attribute), on: database), in: blobs)
            } catch let error as StoreError where error.code == .missingBlob && context.isEditing {
                // The row was read in another snapshot than this.
                guard let (_, version) = try context.row(entity, number), version == self.version else {
                    throw conflict
                }
                throw error
            }
        }
    }

    /// The slot of a value that was set and is not written yet.
    func unsaved(_ attribute: StoredAttribute) -> Slot? {
        let slot = slots[attribute.index]
        return slot?.isDirty == true ? slot : nil
    }

    /// The bytes of a blob as they are stored.
    func bytes(of blob: BlobFile) throws -> Data {
        guard blob.record.length <= ValueStream.wholeCount else {
            throw StoreError(.limitExceeded, "the value exceeds a gigabyte; read it as a stream")
        }
        return try FileReader(blob.descriptor, path: blob.path).readAll(count: Int(blob.record.length))
    }

    /// The bytes of a blob as they are before its attribute's last stages.
    func head(of blob: BlobFile, _ attribute: StoredAttribute) throws -> Data {
        try ValueStream(source(.file(blob), attribute)).readAll()
    }

    func source(
        _ bytes: BytesSource,
        _ attribute: StoredAttribute,
        _ tail: (any StreamTransformer)? = nil
    ) -> ValueSource {
        ValueSource(bytes, of: attribute, at: place(attribute), tail)
    }

    /// Decodes what an attribute's cell holds or names.
    func load(_ attribute: StoredAttribute) throws -> Slot {
        let (row, cell) = try stored(attribute)
        let slot = try load(attribute, row, cell)
        if let failure = slot.failure { context.store.options.logger?.noteQuarantine(failure, id, attribute.name) }
        return slot
    }

    /// Decodes what a cell of a row of the object holds or names.
    func load(_ attribute: StoredAttribute, _ row: PackedRow, _ cell: Int) throws -> Slot {
        let place = place(attribute)
        guard attribute.isExternal, attribute.failure == nil, BlobRecord.uuid(in: row, cell) != nil else {
            return attribute.load(row, cell, in: place)
        }
        return attribute.load(
            {
                guard let blob = try blob(attribute, in: row, cell) else {
                    throw StoreError(.missingBlob, "its cell names a blob, and the store has none")
                }
                return try head(of: blob, attribute)
            },
            in: place
        )
    }

    /// Whether storing a slot's value would leave cell and blob as they are.
    func isUnchanged(_ slot: Slot, _ attribute: StoredAttribute) throws -> Bool {
        let (row, cell) = try stored(attribute)
        guard attribute.isExternal, BlobRecord.uuid(in: row, cell) != nil else {
            return try attribute.isUnchanged(slot, since: row, cell, in: place(attribute))
        }
        guard attribute.any(slot) != nil else { return false }
        // A blob that cannot be read is certainly not this value.
        guard let blob = try? blob(attribute, in: row, cell), let head = try? head(of: blob, attribute) else {
            return false
        }
        return try attribute.isUnchanged(slot, sinceHead: head, in: place(attribute))
    }

    /// The cell of a slot's value where it may have to lie in a file of its own; nil where it may not.
    ///
    /// An object that is encoded on a thread of its own keeps its bytes in the cell, from where the writer
    /// moves them.
    func externalCell(_ slot: Slot, _ attribute: StoredAttribute) throws -> ColumnValue? {
        guard let threshold = attribute.description.externalThreshold, let blobs = context.schema.blobs else {
            return nil
        }
        if let pending = slot.pending { return try publish(pending, attribute) }
        if let encoded = slot.encoded { return try external(encoded, attribute) }
        guard let head = try attribute.head(slot, in: place(attribute)) else { return nil }
        return try located(attribute) {
            if head.count <= threshold {
                let bytes = try attribute.tail.encode(head, in: place(attribute))
                if bytes.count <= threshold { return .blob(bytes) }
            }
            if context.isDetached {
                var bytes = Data()
                try encode(head, attribute.tail, in: place(attribute)) { bytes.append($0) }
                return .blob(bytes)
            }
            let pending = try PendingBlob(in: blobs)
            try encode(head, attribute.tail, in: place(attribute)) { try pending.write($0) }
            return pending.length > threshold ? try publish(pending, attribute) : .blob(try pending.contents())
        }
    }

    /// A cell that was encoded before, its bytes moved to a file if there are too many.
    private func external(_ cell: ColumnValue, _ attribute: StoredAttribute) throws -> ColumnValue {
        guard !context.isDetached else { return cell }
        return try attribute.external(cell, at: place(attribute), context.schema, on: context.database())
    }

    private func encode(
        _ head: Data,
        _ tail: some StreamTransformer,
        in place: TransformContext,
        into output: (Data) throws -> Void
    ) throws {
        let stream = try tail.encodingStream(in: place)
        var rest = head
        while !rest.isEmpty {
            try stream.push(rest.prefix(1 << 20), into: output)
            rest = rest.dropFirst(1 << 20)
        }
        try stream.finish(into: output)
    }

    private func publish(_ pending: PendingBlob, _ attribute: StoredAttribute) throws -> ColumnValue {
        try pending.publish(at: place(attribute), on: context.database())
    }

    /// Adds to what a stage throws where it happened.
    func located<Result>(_ attribute: StoredAttribute, _ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch {
            throw attribute.located(error, .invalidValue, number: number)
        }
    }
}

extension StoredAttribute {
    /// Moves the bytes of an encoded cell to a file if there are more than the threshold allows.
    func external(
        _ cell: ColumnValue,
        at place: TransformContext,
        _ schema: StoreSchema,
        on database: Database
    ) throws -> ColumnValue {
        guard case .blob(let bytes) = cell, let threshold = description.externalThreshold, bytes.count > threshold,
            let blobs = schema.blobs
        else { return cell }
        let pending = try PendingBlob(in: blobs)
        try pending.write(bytes)
        return try pending.publish(at: place, on: database)
    }
}
