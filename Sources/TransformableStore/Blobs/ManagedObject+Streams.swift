public import Foundation
internal import Transformable

// MARK: - Large values

extension ManagedObject {
    /// Opens an attribute's bytes as a stream, wherever they are stored.
    ///
    /// Bytes that are stored externally are read in pieces, using a constant amount of memory. Others are read from the
    /// database as a whole, so that the stream can also be used after the block.
    ///
    /// - Parameter name: The name of a data or transformed attribute.
    /// - Returns: The stream, or `nil` if there is no value.
    /// - Throws: `StoreError` with the code `unknown-attribute`, with the code `wrong-type` if the
    ///   attribute is not stored as bytes, or with the code `missing-blob` or `damaged-blob`.
    public func stream(_ name: String) throws -> ValueStream? {
        try bytesSource(name).map { try ValueStream($0) }
    }

    /// Returns the file that contains an attribute's bytes, if they are stored externally.
    ///
    /// You can read the file inside the block, but you must never change it. Its checksum is not verified.
    ///
    /// - Parameter name: The name of a data or transformed attribute.
    /// - Returns: The file, or `nil` if the bytes are in the database or if there are none.
    /// - Throws: `StoreError` with the code `unsupported` if the bytes are sealed, and the errors that
    ///   ``stream(_:)`` throws.
    public func fileURL(_ name: String) throws -> URL? {
        let attribute = try bytesAttribute(name)
        try requireOpen(attribute)
        return try openBlob(attribute).flatMap { $0.isStored ? URL(filePath: $0.path) : nil }
    }

    /// Returns the stored bytes of an attribute, mapped into memory if they are stored externally.
    ///
    /// Mapped bytes are read when they are accessed, and their checksum is not verified. They stay valid after the
    /// block.
    ///
    /// - Parameter name: The name of a data or transformed attribute.
    /// - Returns: The bytes, or `nil` if there are none.
    /// - Throws: `StoreError` with the code `unsupported` if the bytes are sealed, and the errors that
    ///   ``stream(_:)`` throws.
    public func mappedBytes(_ name: String) throws -> Data? {
        let attribute = try bytesAttribute(name)
        try requireOpen(attribute)
        guard let blob = try openBlob(attribute) else { return try encodedBytes(name) }
        do {
            return try blob.mapped()
        } catch {
            throw attribute.located(error, .inputOutput, number: number)
        }
    }

    /// Sets an attribute to bytes that are provided in pieces.
    ///
    /// If the attribute's values can be stored externally, a constant amount of memory is used. The bytes are encoded
    /// and written to a file immediately, which is temporary if the store is on a server. You can read the value after
    /// the object is saved. Before that, the previous value is read to its end, because a value that cannot be decoded
    /// is replaced only after ``replaceValue(_:for:)``.
    ///
    /// For any other attribute, and in a store in memory, the pieces are collected in memory and set as a whole.
    ///
    /// On a server, a block of `write` may run again. Open the source of the bytes inside the block, so that it is read from
    /// its beginning each time. If it was opened outside, a second run would store what is left of it, which is nothing.
    ///
    /// ```swift
    /// let input = try FileHandle(forReadingFrom: recording)
    /// try document.setStream(for: "scan") { try input.read(upToCount: 1 << 20) }
    /// ```
    ///
    /// - Parameters:
    ///   - name: The name of a `Data` attribute without projections, all of whose stages support pieces.
    ///   - next: Returns the next bytes, or `nil` or empty data at the end.
    /// - Throws: `StoreError` with the code `unsupported` for any other attribute, or with
    ///   the code `invalid-value`, `disk-full`, or `read-only`, and errors
    ///   thrown by the closure.
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

    /// Collects the pieces into a value, where no file can be used.
    private func setCollected(_ next: () throws -> Data?, _ attribute: StoredAttribute) throws {
        var value = Data()
        while let piece = try next(), !piece.isEmpty { value.append(piece) }
        try setValue(any: value, for: attribute.name)
    }
}

extension ManagedObject {
    /// Returns the location of an attribute's bytes, or `nil` if there is no value.
    func bytesSource(_ name: String) throws -> ValueSource? {
        let attribute = try bytesAttribute(name)
        if let failure = attribute.failure { throw failure }
        if let slot = unsaved(attribute) {
            if let failure = slot.failure { throw failure }
            // Bytes that were set are stored unchanged, although the value may be encoded differently.
            if case .blob(let bytes)? = slot.encoded { return source(.memory(bytes), attribute) }
            return try attribute.head(slot, in: place(attribute))
                .map { source(.memory($0), attribute, IdentityTransformer<Data>()) }
        }
        guard state != .inserted else { return nil }
        if let blob = try openBlob(attribute) { return source(.file(blob), attribute) }
        return try cellBytes(attribute).map { source(.memory($0), attribute) }
    }

    /// Returns the bytes in an attribute's cell, or `nil` if there is no value.
    private func cellBytes(_ attribute: StoredAttribute) throws -> Data? {
        let (row, cell) = try stored(attribute)
        if row.isNull(cell) { return nil }
        guard row.kind(cell) == .blob else {
            let error = PlainValueError.unexpected(row.value(cell), for: attribute.description.type)
            throw attribute.located(error, .undecodable, number: number)
        }
        return row.data(cell)
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
        } catch let error as StoreError {
            throw attribute.located(error, .undecodable, number: number)
        }
    }

    private func requireOpen(_ attribute: StoredAttribute) throws(StoreError) {
        guard !attribute.isConfidential, attribute.failure == nil else {
            throw refusal("its file is sealed; read it as a stream", attribute)
        }
    }

    private func requireStreamable(_ attribute: StoredAttribute) throws(StoreError) {
        guard attribute.valueType == Data.self, !attribute.hasWholeStage, attribute.rules.isEmpty else {
            throw refusal("a stage or rule needs the whole value; set a value instead", attribute)
        }
        guard attribute.projections.isEmpty else {
            throw refusal("its projections need the whole value; set a value instead", attribute)
        }
    }

    private func refusal(_ message: String, _ attribute: StoredAttribute) -> StoreError {
        StoreError(.unsupported, message, entity: entity.name, attribute: attribute.name, object: id)
    }

    private func receive(
        _ next: () throws -> Data?,
        _ attribute: StoredAttribute,
        _ blobs: BlobStorage
    ) throws -> PendingBlob {
        let pending = try PendingBlob(in: blobs)
        let stream = try located(attribute) { try attribute.tail.encodingStream(in: place(attribute)) }
        while let piece = try next(), !piece.isEmpty {
            try located(attribute) { try stream.push(piece) { try pending.write($0) } }
        }
        try located(attribute) { try stream.finish { try pending.write($0) } }
        return pending
    }

    /// Records a value that was written and is not in memory.
    private func putStreamed(_ attribute: StoredAttribute, pending: PendingBlob?, encoded: ColumnValue?) throws {
        let failure = StoreError(
            .misuse,
            "it was set as a stream, so it can be read only after the object is saved",
            entity: entity.name,
            attribute: attribute.name,
            object: id
        )
        try put(Slot(streamed: pending, encoded: encoded, failure: failure), attribute.index)
    }
}

// MARK: - Pieces

/// Access to large values in pieces, wherever they are stored, inside a block.
extension ManagedObject {
    private static let startCount = 4096

    /// Returns the first stored bytes of a large value, and their total number.
    ///
    /// - Parameter name: The name of a data or transformed attribute.
    /// - Returns: The first bytes, or `nil` if the value is small or if there is none.
    /// - Throws: `StoreError`, as ``stream(_:)`` does.
    package func storedStart(_ name: String) throws -> (bytes: Data, count: Int)? {
        let attribute = try bytesAttribute(name)
        if let cell = try largeCell(attribute) { return (try cell.read(upTo: Self.startCount), cell.count) }
        guard let blob = try openBlob(attribute) else { return nil }
        var reader = blob.reader
        do {
            return (try reader.read(upTo: Self.startCount), Int(blob.record.length))
        } catch {
            throw attribute.located(error, .undecodable, number: number)
        }
    }

    /// Passes an attribute's bytes to a closure in pieces, using a constant amount of memory.
    ///
    /// - Parameters:
    ///   - name: The name of a data or transformed attribute.
    ///   - isStored: Whether to pass the stored bytes, rather than those that ``stream(_:)`` returns.
    ///   - body: A closure that takes a piece and returns whether to continue.
    /// - Returns: Whether there is a value.
    /// - Throws: `StoreError`, as ``stream(_:)`` and ``ValueStream/next()`` do, and errors thrown by the closure.
    package func forEachPiece(of name: String, isStored: Bool, _ body: (Data) throws -> Bool) throws -> Bool {
        let attribute = try bytesAttribute(name)
        if !isStored, let failure = attribute.failure { throw failure }
        guard let stream = try pieces(of: attribute, isStored ? IdentityTransformer<Data>() : attribute.tail) else {
            return false
        }
        while let piece = try stream.next(), try body(piece) {}
        return true
    }

    private func pieces(of attribute: StoredAttribute, _ tail: any StreamTransformer) throws -> ValueStream? {
        if let cell = try largeCell(attribute) {
            return try ValueStream(source(.memory(Data()), attribute, tail), cell: cell)
        }
        if let blob = try openBlob(attribute) { return try ValueStream(source(.file(blob), attribute, tail)) }
        return try cellBytes(attribute).map { try ValueStream(source(.memory($0), attribute, tail)) }
    }

    /// Opens a cell whose bytes were omitted when the row was read.
    private func largeCell(_ attribute: StoredAttribute) throws -> (any EngineCell)? {
        try requireRow()
        guard let cell = attribute.cell, attribute.isDeferrable, row.kind(cell) == .integer else { return nil }
        return try context.connected { connection in
            try requireGenuineRow(on: connection)
            return try connection.cell(attribute.name, of: entity.name, number: number)
        }
    }

    /// Checks the row's tag if its bytes are read separately from the row.
    private func requireGenuineRow(on connection: any EngineConnection) throws {
        guard let seal = entity.rowSeal else { return }
        let sql = "SELECT \(seal.check()) FROM \(entity.visible) WHERE \"_id\" = ?"
        _ = try connection.integer(sql, [.integer(number)])
    }
}
