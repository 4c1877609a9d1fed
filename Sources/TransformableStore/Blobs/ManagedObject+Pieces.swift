package import Foundation
internal import Transformable

/// Large values in pieces, wherever they lie, for as long as their block runs.
extension ManagedObject {
    private static let startCount = 4096

    /// How the stored bytes of a large value begin, and how many there are.
    ///
    /// - Parameter name: The name of a data or transformed attribute.
    /// - Returns: The beginning; nil if the value is small, or there is none.
    /// - Throws: ``StoreError``, as ``stream(_:)`` does.
    package func storedStart(_ name: String) throws -> (bytes: Data, count: Int)? {
        let attribute = try bytesAttribute(name)
        if let cell = try largeCell(attribute) { return (try cell.read(upTo: Self.startCount), cell.count) }
        guard let blob = try openBlob(attribute) else { return nil }
        var reader = FileReader(blob.descriptor, path: blob.path)
        return (try reader.read(upTo: Self.startCount), Int(blob.record.length))
    }

    /// Gives an attribute's bytes to a body, in memory that does not grow with them.
    ///
    /// - Parameters:
    ///   - name: The name of a data or transformed attribute.
    ///   - isStored: Whether they come as they are stored; if not, as ``stream(_:)`` gives them.
    ///   - body: Takes a piece, and says whether it wants another one.
    /// - Returns: Whether there is a value.
    /// - Throws: ``StoreError``, as ``stream(_:)`` and ``ValueStream/next()`` do, and what the body throws.
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

    /// A cell whose bytes were left out as the row was read.
    private func largeCell(_ attribute: StoredAttribute) throws -> CellReader? {
        try requireRow()
        guard let cell = attribute.cell, attribute.isDeferrable, row.kind(cell) == .integer else { return nil }
        return try context.connected { database in
            try CellReader(database, table: entity.name, column: attribute.name, number: number)
        }
    }
}
