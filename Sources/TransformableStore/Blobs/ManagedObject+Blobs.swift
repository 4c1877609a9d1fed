public import Foundation
internal import Transformable

extension ManagedObject {
    /// Opens the blob that an attribute's cell refers to, or returns `nil` if the bytes are in the cell.
    func blob(_ attribute: StoredAttribute, in row: PackedRow, _ cell: Int) throws -> BlobFile? {
        guard attribute.isExternal, let blobs = context.schema.blobs, let uuid = BlobRecord.uuid(in: row, cell) else {
            return nil
        }
        return try context.connected { connection in
            do {
                let record = try BlobRecord.find(uuid, at: place(attribute), on: connection)
                return try BlobFile(record, in: blobs, on: connection)
            } catch let error as StoreError where error.code == .missingBlob && context.isEditing {
                // The row was read in a different snapshot.
                guard let (current, version) = try context.row(entity, number), version == self.version,
                    let cell = attribute.cell
                else { throw conflict }
                // A re-encoding replaces the blob, but neither the value nor the version.
                guard let newer = BlobRecord.uuid(in: current, cell), newer != uuid else { throw error }
                let record = try BlobRecord.find(newer, at: place(attribute), on: connection)
                return try BlobFile(record, in: blobs, on: connection)
            }
        }
    }

    /// Returns the slot of a value that was set and has not been written yet.
    func unsaved(_ attribute: StoredAttribute) -> Slot? {
        let slot = values[attribute.index]
        return slot?.isDirty == true ? slot : nil
    }

    /// Returns the stored bytes of a blob.
    func bytes(of blob: BlobFile) throws -> Data {
        guard blob.record.length <= ValueStream.wholeCount else {
            throw StoreError(.limitExceeded, "the value exceeds a gigabyte; read it as a stream")
        }
        return try blob.reader.readAll(count: Int(blob.record.length))
    }

    /// Returns the bytes of a blob before its attribute's last stages.
    private func head(of blob: BlobFile, _ attribute: StoredAttribute) throws -> Data {
        try ValueStream(source(.file(blob), attribute)).readAll()
    }

    func source(
        _ bytes: BytesSource,
        _ attribute: StoredAttribute,
        _ tail: (any StreamTransformer)? = nil
    ) -> ValueSource {
        ValueSource(bytes, of: attribute, at: place(attribute), tail)
    }

    /// Decodes the content of an attribute's cell or of the blob that it refers to.
    func load(_ attribute: StoredAttribute) throws -> Slot {
        let (row, cell) = try stored(attribute)
        let slot = try load(attribute, row, cell)
        keepOriginal(row, of: slot, attribute)
        if let failure = slot.failure { context.store.options.logger?.noteQuarantine(failure, id, attribute.name) }
        return slot
    }

    /// Decodes the content of a cell of the object's row or of the blob that it refers to.
    func load(_ attribute: StoredAttribute, _ row: PackedRow, _ cell: Int) throws -> Slot {
        let place = place(attribute)
        guard attribute.isExternal, attribute.failure == nil, BlobRecord.uuid(in: row, cell) != nil else {
            return attribute.load(row, cell, in: place)
        }
        return try attribute.load(in: place) {
            guard let blob = try blob(attribute, in: row, cell) else {
                throw StoreError(.missingBlob, "its cell refers to a blob, but the store has none")
            }
            return try head(of: blob, attribute)
        }
    }

    /// Returns a Boolean value that indicates whether storing a slot's value would leave the cell and the blob
    /// unchanged.
    func isUnchanged(_ slot: Slot, _ attribute: StoredAttribute) throws -> Bool {
        let (row, cell) = try original(of: slot, attribute)
        guard attribute.isExternal, BlobRecord.uuid(in: row, cell) != nil else {
            return try attribute.isUnchanged(slot, since: row, cell, in: place(attribute))
        }
        guard attribute.any(slot) != nil else { return false }
        // A blob that cannot be read is never equal to this value.
        guard let blob = try? blob(attribute, in: row, cell), let head = try? head(of: blob, attribute) else {
            return false
        }
        return try attribute.isUnchanged(slot, sinceHead: head, in: place(attribute))
    }

    /// Returns the cell of a slot's value that may have to be stored externally, or `nil` for other values.
    ///
    /// An object that is encoded on a separate thread keeps its bytes in the cell, and the writer moves them to a file.
    func externalCell(_ slot: Slot, _ attribute: StoredAttribute) throws -> ColumnValue? {
        guard let threshold = attribute.description.externalThreshold, let blobs = context.schema.blobs else {
            return nil
        }
        if let pending = slot.pending { return try publish(pending, attribute) }
        if let encoded = slot.encoded { return try external(encoded, attribute) }
        guard let head = try attribute.head(slot, in: place(attribute), checkingRules: context.checksRules) else {
            return nil
        }
        return try located(attribute) {
            if head.count <= threshold {
                let bytes = try attribute.tail.encode(head, in: place(attribute))
                if bytes.count <= threshold { return .blob(bytes) }
            }
            if context.connection.isDetached {
                var bytes = Data()
                try encode(head, attribute.tail, in: place(attribute)) { bytes.append($0) }
                return .blob(bytes)
            }
            let pending = try PendingBlob(in: blobs)
            try encode(head, attribute.tail, in: place(attribute)) { try pending.write($0) }
            return pending.length > threshold ? try publish(pending, attribute) : .blob(try pending.contents())
        }
    }

    /// Returns a cell that was encoded earlier, with its bytes moved to a file if it is large.
    private func external(_ cell: ColumnValue, _ attribute: StoredAttribute) throws -> ColumnValue {
        guard !context.connection.isDetached else { return cell }
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

    /// Adds the location to errors thrown by a stage.
    func located<Result>(_ attribute: StoredAttribute, _ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch {
            throw attribute.located(error, .invalidValue, number: number)
        }
    }
}

// MARK: - Bytes that are stored unchanged

extension ManagedObject {
    /// Sets an attribute to bytes in the form that its first stages write, such as an archive for `keyed-archive` or a
    /// JPEG file for `jpeg | sealed`.
    ///
    /// The bytes are stored unchanged.
    ///
    /// `setValue(_:for:)` encodes a value. This method takes bytes that an encoder has written before, in this program
    /// or another one, so that nothing is lost, such as the quality of a picture or the other contents of an archive.
    /// The bytes are decoded immediately and rejected if they do not decode to a value. Stages that take bytes, such as
    /// `gzip` and `sealed`, are applied as usual. ``stream(_:)`` returns the same bytes.
    ///
    /// If the attribute's values are instances of a class, the decoded value is kept and encoded when the object is
    /// saved, because it may be changed in place until then.
    ///
    /// - Parameters:
    ///   - contents: The bytes.
    ///   - name: The name of a data or transformed attribute.
    /// - Throws: `StoreError` with the code `invalid-value` if the bytes do not decode to a value or if the
    ///   value breaks a rule of the model, with the code `wrong-type` if the attribute is not stored as bytes,
    ///   or with the code `unknown-attribute` or `read-only`.
    public func setContents(_ contents: Data, for name: String) throws {
        let attribute = try bytesAttribute(name)
        try requireSettable(attribute.index)
        try put(slot(contents, attribute), attribute.index)
    }

    private func slot(_ contents: Data, _ attribute: StoredAttribute) throws -> Slot {
        let slot = attribute.load({ contents }, in: place(attribute))
        if var failure = slot.failure {
            failure.code = .invalidValue
            failure.message = "the bytes are not in the form that its transformer writes"
            throw failure
        }
        guard !attribute.isMutableInPlace else { return slot }
        try located(attribute) {
            if attribute.isExternal, context.checksRules { try attribute.rules.check(.blob(contents)) }
            let stored = ColumnValue.blob(try attribute.tail.encode(contents, in: place(attribute)))
            if !attribute.isExternal, context.checksRules { try attribute.rules.check(stored) }
            slot.keepContents(stored)
        }
        return slot
    }

    /// Sets an attribute to bytes that are stored unchanged and need not be decodable.
    ///
    /// This is used for bytes that were recovered from another file. If they can be decoded here, the projections are
    /// those of their value.
    func setStored(_ bytes: Data, _ attribute: StoredAttribute, _ failure: StoreError) throws {
        let row = PackedRow(single: attribute.isDeferrable ? .blob(bytes) : .brokenText(bytes))
        let slot = attribute.load(row, 0, in: place(attribute))
        // Text that is valid UTF-8 is not broken, even if it is no value of the attribute.
        let cell = row.value(0)
        guard slot.failure == nil else {
            return try put(Slot(streamed: nil, encoded: cell, failure: failure), attribute.index)
        }
        slot.keepContents(cell)
        try put(slot, attribute.index)
    }
}

extension StoredAttribute {
    /// Moves the bytes of an encoded cell to a file if it exceeds the threshold.
    func external(
        _ cell: ColumnValue,
        at place: TransformContext,
        _ schema: StoreSchema,
        on connection: any EngineConnection
    ) throws -> ColumnValue {
        guard case .blob(let bytes) = cell, let threshold = description.externalThreshold, bytes.count > threshold,
            let blobs = schema.blobs
        else { return cell }
        let pending = try PendingBlob(in: blobs)
        try pending.write(bytes)
        return try pending.publish(at: place, on: connection)
    }
}
