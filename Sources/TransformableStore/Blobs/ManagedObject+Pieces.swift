package import Foundation
internal import Transformable

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
        var reader = FileReader(blob.descriptor, path: blob.path)
        return (try reader.read(upTo: Self.startCount), Int(blob.record.length))
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
        let (row, cell) = try stored(attribute)
        if row.isNull(cell) { return nil }
        guard row.kind(cell) == .blob else {
            let error = PlainValueError.unexpected(row.value(cell), for: attribute.description.type)
            throw attribute.located(error, .undecodable, number: number)
        }
        return try ValueStream(source(.memory(row.data(cell)), attribute, tail))
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
        let sql = "SELECT \(seal.check) FROM \(entity.visible) WHERE \"_id\" = ?"
        _ = try connection.integer(sql, [.integer(number)])
    }
}
