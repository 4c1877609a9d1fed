internal import Foundation
internal import TransformableModel
internal import TransformableStore

/// How a column's values are packed.
///
/// The cells are those that SQLite would have: a Boolean value is an integer, and UUIDs and decimal numbers are text.
enum CellFormat {
    case boolean
    case integer
    case real
    /// The bytes that the server sends.
    case text
    /// The bytes that the server sends, or the name of an external value.
    case bytes
    case decimal
    case uuid
    /// A row whose tag is checked.
    case row

    /// Returns the format of a column.
    ///
    /// - Parameters:
    ///   - column: The column.
    ///   - checksRows: Whether the column may have rows whose tags are checked.
    /// - Throws: `StoreError` if the column has a type that no store uses.
    init(_ column: PostgresDescription.Column, checksRows: Bool = false) throws(StoreError) {
        switch PostgresType(rawValue: column.type) {
        case .bool: self = .boolean
        case .int2, .int4, .int8: self = .integer
        case .float8: self = .real
        case .bytea: self = .bytes
        case .text: self = .text
        case .numeric: self = .decimal
        case .uuid: self = .uuid
        case .byteaArray where checksRows: self = .row
        case nil where String.canRead(column.type): self = .text
        case .int8Array, .byteaArray, nil:
            let message = "the column “\(column.name)” has a PostgreSQL type that no store uses; cast it to text"
            throw StoreError(.wrongType, message)
        }
    }
}

extension PackedRow {
    /// Packs a row that the server sent.
    ///
    /// - Throws: `StoreError` if a value is malformed or missing.
    init(_ row: borrowing PostgresRow, _ formats: [CellFormat]) throws(StoreError) {
        try row.requireColumns(formats.count)
        // Texts that differ from the bytes of the row, in the order of their columns.
        var texts: [(kind: Kind, bytes: [UInt8])] = []
        var size = formats.count * Self.headerSize
        for index in formats.indices where !row.isNull(index) {
            switch formats[index] {
            case .boolean, .integer, .real, .row: continue
            case .text: size += unsafe row.withBytes(index) { $0.count } ?? 0
            case .bytes: size += unsafe row.withBytes(index) { unsafe Self.content($0).count } ?? 0
            case .decimal: texts.append(try Self.decimal(row, index))
            case .uuid: texts.append((.text, Array(try row.value(index, as: UUID.self).uuidString.utf8)))
            }
        }
        for text in texts { size += text.bytes.count }
        try unsafe self.init(count: formats.count, size: size) { buffer throws(StoreError) in
            var packer = unsafe CellPacker(buffer, count: formats.count)
            var texts = texts[...]
            for index in formats.indices {
                guard !row.isNull(index) else {
                    packer.add(.null, 0)
                    continue
                }
                switch formats[index] {
                case .boolean: packer.add(.integer, try row.value(index, as: Bool.self) ? 1 : 0)
                case .integer: packer.add(.integer, UInt64(bitPattern: try row.value(index, as: Int64.self)))
                case .real: packer.add(.real, try row.value(index, as: Double.self).bitPattern)
                case .text: unsafe row.withBytes(index) { unsafe packer.add(.text, $0) }
                case .bytes:
                    unsafe row.withBytes(index) { bytes in
                        let (kind, count) = unsafe Self.content(bytes)
                        unsafe packer.add(kind, UnsafeRawBufferPointer(rebasing: bytes.prefix(count)))
                    }
                case .row: packer.add(.integer, RowChecker.hasOwnCells(row, index) ? 2 : 1)
                case .decimal, .uuid:
                    guard let (kind, bytes) = texts.popFirst() else { continue }
                    unsafe bytes.withUnsafeBytes { unsafe packer.add(kind, $0) }
                }
            }
        }
    }
}

extension PackedRow {
    /// Returns the text of a number, or the bytes that the server sends if no decimal number is that large or that long.
    ///
    /// Such bytes cannot be decoded.
    private static func decimal(
        _ row: borrowing PostgresRow,
        _ column: Int
    ) throws(StoreError) -> (kind: Kind, bytes: [UInt8]) {
        let number = unsafe row.withBytes(column) { bytes in
            unsafe PostgresNumeric.exceedsDecimals(wire: bytes) ? Array(bytes) : nil
        }
        if let number, let bytes = number { return (.blob, bytes) }
        return (.text, Array(try row.value(column, as: PostgresNumeric.self).text.utf8))
    }

    /// Returns the kind of a binary column, and the number of bytes that belong to it.
    private static func content(_ bytes: UnsafeRawBufferPointer) -> (kind: Kind, count: Int) {
        let (isName, count) = unsafe BlobName.split(bytes)
        return (isName ? .text : .blob, count)
    }
}

/// Writes the cells of a row one after the other.
@safe
private struct CellPacker {
    private let buffer: UnsafeMutableRawBufferPointer
    private var offset = 0
    // The position after the bytes of the cells so far.
    private var end: Int

    /// - Parameters:
    ///   - buffer: Room for the headers of all cells and for their bytes.
    ///   - count: The number of cells.
    @unsafe init(_ buffer: UnsafeMutableRawBufferPointer, count: Int) {
        unsafe self.buffer = buffer
        end = count * PackedRow.headerSize
    }

    /// Adds NULL or a number.
    mutating func add(_ kind: PackedRow.Kind, _ payload: UInt64, length: Int = 0) {
        let header = PackedRow.header(kind, length: length)
        unsafe buffer.storeBytes(of: header, toByteOffset: offset, as: UInt64.self)
        unsafe buffer.storeBytes(of: payload, toByteOffset: offset + 8, as: UInt64.self)
        offset += PackedRow.headerSize
    }

    /// Adds text or a blob.
    @unsafe mutating func add(_ kind: PackedRow.Kind, _ bytes: UnsafeRawBufferPointer) {
        add(kind, UInt64(end), length: bytes.count)
        unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[end..<end + bytes.count]).copyMemory(from: bytes)
        end += bytes.count
    }
}
