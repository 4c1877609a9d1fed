internal import Foundation
internal import TransformableModel

/// The fields of a row in PostgreSQL's binary format, which is the only element of an array of bytes.
///
/// The coordinator of Citus cannot receive a row from another server, but it can receive the bytes of one.
@safe
struct RecordFields {
    private var rest: UnsafeRawBufferPointer

    @unsafe init(_ bytes: UnsafeRawBufferPointer) {
        unsafe rest = unsafe bytes
    }

    /// The first field, if it is a number.
    var first: Int64? {
        var copy = self
        guard copy.takeHeader(), copy.take(Int32.self) != nil, case .integer(let number)? = try? copy.next() else {
            return nil
        }
        return number
    }

    /// Returns all fields as the cells that SQLite would have.
    @unsafe static func cells(of bytes: UnsafeRawBufferPointer) throws -> [ColumnValue] {
        var fields = unsafe Self(bytes)
        return try fields.cells()
    }

    private mutating func cells() throws -> [ColumnValue] {
        guard takeHeader(), let count = take(Int32.self), 0...1664 ~= count else { throw StoreError.malformedRow }
        let cells = try (0..<count).map { _ in try next() }
        guard unsafe rest.isEmpty else { throw StoreError.malformedRow }
        return cells
    }

    /// Goes on to the row, unless it is not what the array contains.
    private mutating func takeHeader() -> Bool {
        guard take(Int32.self) == 1, take(Int32.self) == 0, take(UInt32.self) == PostgresType.bytea.rawValue,
            take(Int32.self) == 1, take(Int32.self) == 1, let length = take(Int32.self)
        else { return false }
        return unsafe rest.count == length
    }

    private mutating func take<Number: FixedWidthInteger>(_ type: Number.Type) -> Number? {
        let size = Number.bitWidth / 8
        guard unsafe rest.count >= size else { return nil }
        let number = unsafe Number(bigEndian: rest.loadUnaligned(as: Number.self))
        unsafe rest = unsafe UnsafeRawBufferPointer(rebasing: rest.dropFirst(size))
        return number
    }

    private mutating func next() throws -> ColumnValue {
        guard let type = take(UInt32.self), let length = take(Int32.self) else { throw StoreError.malformedRow }
        guard length != -1 else { return .null }
        guard length >= 0, unsafe Int(length) <= rest.count else { throw StoreError.malformedRow }
        let bytes = unsafe UnsafeRawBufferPointer(rebasing: rest.prefix(Int(length)))
        unsafe rest = unsafe UnsafeRawBufferPointer(rebasing: rest.dropFirst(Int(length)))
        return try unsafe Self.cell(bytes, PostgresType(rawValue: type))
    }

    @unsafe private static func cell(_ bytes: UnsafeRawBufferPointer, _ type: PostgresType?) throws -> ColumnValue {
        switch type {
        case .bool: .integer(try unsafe Bool(wire: bytes) ? 1 : 0)
        case .int2: .integer(Int64(try unsafe Int16(wire: bytes)))
        case .int4: .integer(Int64(try unsafe Int32(wire: bytes)))
        case .int8: .integer(try unsafe Int64(wire: bytes))
        case .float8: .real(try unsafe Double(wire: bytes))
        case .text: .text(try unsafe String(wire: bytes))
        case .numeric: try unsafe number(bytes)
        case .uuid: .text(try unsafe UUID(wire: bytes).uuidString)
        case .bytea: unsafe content(bytes)
        case .byteaArray, .int8Array, nil: throw StoreError.malformedRow
        }
    }

    /// Returns the text of a number, or its bytes if no decimal number is that large or that long.
    @unsafe private static func number(_ bytes: UnsafeRawBufferPointer) throws -> ColumnValue {
        guard unsafe !PostgresNumeric.exceedsDecimals(wire: bytes) else { return .blob(unsafe Data(bytes)) }
        return .text(try unsafe PostgresNumeric(wire: bytes).text)
    }

    /// Returns bytes, or the name of an external value.
    @unsafe private static func content(_ bytes: UnsafeRawBufferPointer) -> ColumnValue {
        let (isName, count) = unsafe BlobName.split(bytes)
        guard !isName else { return .text(unsafe String(decoding: bytes, as: UTF8.self)) }
        return .blob(unsafe Data(UnsafeRawBufferPointer(rebasing: bytes.prefix(count))))
    }
}

extension StoreError {
    fileprivate static let malformedRow = StoreError(.corruptFile, "the server sent a malformed row")
}
