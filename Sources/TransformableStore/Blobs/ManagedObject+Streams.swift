public import Foundation
internal import Transformable

// MARK: - Large values

extension ManagedObject {
    /// Opens an attribute's bytes as a stream, wherever they lie, in memory that does not grow with them.
    ///
    /// - Parameter name: The name of a data or transformed attribute.
    /// - Returns: The stream, which may be used after the block, too; nil if there is no value.
    /// - Throws: ``StoreError``: ``StoreError/Code/unknownAttribute``, ``StoreError/Code/wrongType`` for an
    ///   attribute without bytes, ``StoreError/Code/missingBlob`` or ``StoreError/Code/damagedBlob``.
    public func stream(_ name: String) throws -> ValueStream? {
        try bytesSource(name).map { try ValueStream($0) }
    }

    /// The file that holds an attribute's bytes, if they lie in one of their own.
    ///
    /// The file may be read while the block runs, and must never be changed. Its checksum is not
    /// verified.
    ///
    /// - Parameter name: The name of a data or transformed attribute.
    /// - Returns: The file; nil if the bytes lie in the database, or there are none.
    /// - Throws: ``StoreError`` with ``StoreError/Code/unsupported`` where the bytes are sealed; and as
    ///   ``stream(_:)``.
    public func fileURL(_ name: String) throws -> URL? {
        let attribute = try bytesAttribute(name)
        try requireOpen(attribute)
        return try openBlob(attribute).map { URL(filePath: $0.path) }
    }

    /// The bytes that are stored for an attribute, mapped into memory if they lie in a file of their own.
    ///
    /// They are read as they are touched, and their checksum is not verified. Mapped bytes stay valid after
    /// the block.
    ///
    /// - Parameter name: The name of a data or transformed attribute.
    /// - Returns: The bytes; nil if there are none.
    /// - Throws: ``StoreError`` with ``StoreError/Code/unsupported`` where the bytes are sealed; and as
    ///   ``stream(_:)``.
    public func mappedBytes(_ name: String) throws -> Data? {
        let attribute = try bytesAttribute(name)
        try requireOpen(attribute)
        guard let blob = try openBlob(attribute) else { return try encodedBytes(name) }
        do {
            return try Data(contentsOf: URL(filePath: blob.path), options: .alwaysMapped)
        } catch {
            throw attribute.located(error, .inputOutput, number: number)
        }
    }

    /// Sets an attribute to bytes that come in pieces, in memory that does not grow with them.
    ///
    /// They are encoded and written to a file at once; the value shows when the object has been saved.
    ///
    /// ```swift
    /// try document.setStream(for: "scan") { try input.read(upToCount: 1 << 20) }
    /// ```
    ///
    /// - Parameters:
    ///   - name: The name of an attribute of `Data` all of whose stages take pieces, without projections.
    ///   - next: Gives the next bytes; nil or none at the end.
    /// - Throws: ``StoreError``: ``StoreError/Code/unsupported`` for any other attribute,
    ///   ``StoreError/Code/invalidValue``, ``StoreError/Code/diskFull`` or ``StoreError/Code/readOnly``; and what
    ///   the closure throws.
    public func setStream(for name: String, from next: () throws -> Data?) throws {
        let attribute = try bytesAttribute(name)
        try requireStreamable(attribute)
        try requireSettable(attribute.index)
        guard let blobs = context.schema.blobs, let threshold = attribute.description.externalThreshold else {
            return try setCollected(next, attribute)
        }
        let pending = try receive(next, attribute, blobs)
        if pending.length > threshold {
            try putStreamed(attribute, pending: pending, encoded: nil)
        } else {
            try putStreamed(attribute, pending: nil, encoded: .blob(pending.contents()))
        }
    }

    /// Where no file can be had, the pieces become a value.
    private func setCollected(_ next: () throws -> Data?, _ attribute: StoredAttribute) throws {
        var value = Data()
        while let piece = try next(), !piece.isEmpty { value.append(piece) }
        try setValue(any: value, for: attribute.name)
    }
}

extension ManagedObject {
    /// Where the bytes of an attribute are; nil if there is no value.
    func bytesSource(_ name: String) throws -> ValueSource? {
        let attribute = try bytesAttribute(name)
        if let failure = attribute.failure { throw failure }
        if let slot = unsaved(attribute) {
            if let failure = slot.failure { throw failure }
            return try attribute.head(slot, in: place(attribute))
                .map { source(.memory($0), attribute, IdentityTransformer<Data>()) }
        }
        guard state != .inserted else { return nil }
        let (row, cell) = try stored(attribute)
        if let blob = try openBlob(attribute) { return source(.file(blob), attribute) }
        if row.isNull(cell) { return nil }
        guard row.kind(cell) == .blob else {
            throw attribute.located(
                PlainValueError.unexpected(row.value(cell), for: attribute.description.type),
                .undecodable,
                number: number
            )
        }
        return source(.memory(row.data(cell)), attribute)
    }

    func bytesAttribute(_ name: String) throws -> StoredAttribute {
        let attribute = try entity.attribute(name)
        guard attribute.isDeferrable, attribute.cell != nil else {
            throw StoreError(.wrongType, "its values are not bytes", entity: entity.name, attribute: name)
        }
        return attribute
    }

    func openBlob(_ attribute: StoredAttribute) throws -> BlobFile? {
        guard state != .inserted else { return nil }
        let (row, cell) = try stored(attribute)
        do {
            return try blob(attribute, in: row, cell)
        } catch {
            throw attribute.located(error, .undecodable, number: number)
        }
    }

    private func requireOpen(_ attribute: StoredAttribute) throws(StoreError) {
        guard attribute.transformer?.traits.contains(.confidential) != true, attribute.failure == nil else {
            throw refusal("its file is sealed; read it as a stream", attribute)
        }
    }

    private func requireStreamable(_ attribute: StoredAttribute) throws(StoreError) {
        guard attribute.valueType == Data.self, !attribute.hasWholeStage, attribute.rules.isEmpty else {
            throw refusal("a stage, or a rule, needs its value whole; set a value", attribute)
        }
        guard attribute.projections.isEmpty else {
            throw refusal("its projections need its value whole; set a value", attribute)
        }
    }

    private func refusal(_ message: String, _ attribute: StoredAttribute) -> StoreError {
        StoreError(.unsupported, message, entity: entity.name, attribute: attribute.name, object: id)
    }

    private func receive(
        _ next: () throws -> Data?,
        _ attribute: StoredAttribute,
        _ blobs: BlobFolder
    ) throws -> PendingBlob {
        let pending = try PendingBlob(in: blobs)
        let stream = try located(attribute) { try attribute.tail.encodingStream(in: place(attribute)) }
        while let piece = try next(), !piece.isEmpty {
            try located(attribute) { try stream.push(piece) { try pending.write($0) } }
        }
        try located(attribute) { try stream.finish { try pending.write($0) } }
        return pending
    }

    /// Notes a value that was written and is not in memory.
    private func putStreamed(_ attribute: StoredAttribute, pending: PendingBlob?, encoded: ColumnValue?) throws {
        let failure = StoreError(
            .misuse,
            "it was set as a stream, and can be read once the object is saved",
            entity: entity.name,
            attribute: attribute.name,
            object: id
        )
        try put(Slot(streamed: pending, encoded: encoded, failure: failure), attribute.index)
    }
}
