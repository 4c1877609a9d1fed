internal import Foundation
internal import TransformableModel
internal import TransformableStore

/// A cell that a row of the server is packed from.
private enum Cell {
    case null
    case number(PackedRow.Kind, UInt64)
    /// The bytes are those of the row.
    case lent(PackedRow.Kind, count: Int)
    /// The text differs from the bytes of the row.
    case text([UInt8])

    var kind: PackedRow.Kind {
        switch self {
        case .null: .null
        case .number(let kind, _), .lent(let kind, _): kind
        case .text: .text
        }
    }

    var count: Int {
        switch self {
        case .null, .number: 0
        case .lent(_, let count): count
        case .text(let bytes): bytes.count
        }
    }
}

extension PackedRow {
    /// Packs a row that the server sent.
    ///
    /// The cells are those that SQLite would have: a Boolean value is an integer, and UUIDs and decimal numbers are text.
    ///
    /// - Throws: `StoreError` if a column has a type that no store uses, or a value is malformed.
    init(_ row: borrowing PostgresRow, _ columns: [PostgresDescription.Column]) throws(StoreError) {
        var cells: [Cell] = []
        cells.reserveCapacity(columns.count)
        var size = columns.count * Self.headerSize
        for (index, column) in columns.enumerated() {
            let cell = try Cell(row, index, column)
            cells.append(cell)
            size += cell.count
        }
        unsafe self.init(size: size) { buffer in
            var end = cells.count * Self.headerSize
            for (index, cell) in cells.enumerated() {
                let offset = index * Self.headerSize
                let header = Self.header(cell.kind, length: cell.count)
                unsafe buffer.storeBytes(of: header, toByteOffset: offset, as: UInt64.self)
                unsafe buffer.storeBytes(of: cell.payload(end), toByteOffset: offset + 8, as: UInt64.self)
                let target = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[end..<end + cell.count])
                if case .text(let bytes) = cell { unsafe target.copyBytes(from: bytes) }
                if case .lent(_, let count) = cell {
                    _ = unsafe row.withBytes(index) {
                        unsafe target.copyMemory(from: .init(rebasing: $0.prefix(count)))
                    }
                }
                end += cell.count
            }
        }
    }
}

extension Cell {
    init(_ row: borrowing PostgresRow, _ index: Int, _ column: PostgresDescription.Column) throws(StoreError) {
        guard !row.isNull(index) else {
            self = .null
            return
        }
        switch PostgresType(rawValue: column.type) {
        case .bool: self = .number(.integer, try row.value(index, as: Bool.self) ? 1 : 0)
        case .int2, .int4, .int8: self = .number(.integer, UInt64(bitPattern: try row.value(index, as: Int64.self)))
        case .float8: self = .number(.real, try row.value(index, as: Double.self).bitPattern)
        case .bytea: self = Self.bytes(row, index)
        case .numeric: self = .text(Array(try row.value(index, as: PostgresNumeric.self).text.utf8))
        case .uuid: self = .text(Array(try row.value(index, as: UUID.self).uuidString.utf8))
        case .text: self = Self.lent(row, index, .text)
        case nil where String.canRead(column.type): self = Self.lent(row, index, .text)
        case .int8Array, nil:
            let message = "the column “\(column.name)” has a type of PostgreSQL that no store uses; cast it to text"
            throw StoreError(.wrongType, message)
        }
    }

    /// Bytes are a value, or the name of an external one.
    private static func bytes(_ row: borrowing PostgresRow, _ index: Int) -> Self {
        let form = unsafe row.withBytes(index) { unsafe ($0.count, BlobName.begins($0)) } ?? (0, false)
        switch form {
        case (let count, false): return .lent(.blob, count: count)
        case (BlobName.length, true): return .lent(.text, count: BlobName.length)
        // A zero was added to tell the value from a name.
        case (let count, true): return .lent(.blob, count: count - 1)
        }
    }

    private static func lent(_ row: borrowing PostgresRow, _ index: Int, _ kind: PackedRow.Kind) -> Self {
        unsafe .lent(kind, count: row.withBytes(index) { $0.count } ?? 0)
    }

    /// The second half of the cell's header: a number, or the position of the bytes.
    func payload(_ position: Int) -> UInt64 {
        switch self {
        case .null: 0
        case .number(_, let bits): bits
        case .lent, .text: UInt64(position)
        }
    }
}
