internal import Foundation

/// The bytes of a row that its tag covers.
///
/// A label is followed by the row's number and its version, which are cells, and by the number of columns. The number and
/// the cell of each column follow. A cell consists of its kind and the 8 bytes of a number, or of its kind, the count of
/// its bytes, and the bytes. All numbers are little-endian.
///
/// An engine writes cells of its own kind, because converting them first would take longer than computing the tag.
package enum RowMessage {
    private static let label: StaticString = "transformable row 1"

    /// Returns the number of bytes of a message.
    ///
    /// - Parameters:
    ///   - columns: The number of columns.
    ///   - cells: The number of bytes of all cells, including the row's number and its version.
    /// - Returns: The number of bytes.
    package static func byteCount(columns: Int, cells: Int) -> Int {
        label.utf8CodeUnitCount + (1 + columns) * MemoryLayout<UInt32>.size + cells
    }

    /// Returns the number of bytes of a cell.
    ///
    /// - Parameters:
    ///   - kind: The kind of the cell.
    ///   - content: The number of bytes in a text or a blob.
    /// - Returns: The number of bytes.
    package static func byteCount(kind: PackedRow.Kind, content: Int = 0) -> Int {
        switch kind {
        case .null: 1
        case .integer, .real: 9
        case .text, .blob: 9 + content
        }
    }

    /// Writes a message.
    ///
    /// - Parameters:
    ///   - columns: The columns.
    ///   - buffer: A buffer of the message's size.
    ///   - appendCell: A closure that appends a cell at the end of what has been written. The cells with the numbers 0 and
    ///     1 are the row's number and its version, and those of the columns follow.
    package static func write(
        _ columns: [RowSeal.Column],
        to buffer: UnsafeMutableRawBufferPointer,
        _ appendCell: (_ index: Int, _ buffer: UnsafeMutableRawBufferPointer, _ end: inout Int) -> Void
    ) {
        var end = 0
        unsafe copy(UnsafeRawBufferPointer(start: label.utf8Start, count: label.utf8CodeUnitCount), to: buffer, &end)
        for index in 0..<2 { unsafe appendCell(index, buffer, &end) }
        unsafe store(UInt32(columns.count), in: buffer, &end)
        for index in columns.indices {
            unsafe store(columns[index].number, in: buffer, &end)
            unsafe appendCell(index + 2, buffer, &end)
        }
    }
}

// MARK: - Cells

extension RowMessage {
    package static func appendNull(to buffer: UnsafeMutableRawBufferPointer, _ end: inout Int) {
        unsafe store(PackedRow.Kind.null.rawValue, in: buffer, &end)
    }

    package static func append(_ number: Int64, to buffer: UnsafeMutableRawBufferPointer, _ end: inout Int) {
        unsafe store(PackedRow.Kind.integer.rawValue, in: buffer, &end)
        unsafe store(number, in: buffer, &end)
    }

    package static func append(_ number: Double, to buffer: UnsafeMutableRawBufferPointer, _ end: inout Int) {
        unsafe store(PackedRow.Kind.real.rawValue, in: buffer, &end)
        // SQLite stores -0 as 0, so the tag covers that.
        unsafe store(number == 0 ? 0 : number.bitPattern, in: buffer, &end)
    }

    /// Appends a text or a blob.
    package static func append(
        _ kind: PackedRow.Kind,
        _ bytes: UnsafeRawBufferPointer,
        to buffer: UnsafeMutableRawBufferPointer,
        _ end: inout Int
    ) {
        unsafe store(kind.rawValue, in: buffer, &end)
        unsafe store(Int64(bytes.count), in: buffer, &end)
        unsafe copy(bytes, to: buffer, &end)
    }

    private static func store(
        _ number: some FixedWidthInteger,
        in buffer: UnsafeMutableRawBufferPointer,
        _ end: inout Int
    ) {
        unsafe buffer.storeBytes(of: number.littleEndian, toByteOffset: end, as: type(of: number))
        end += number.bitWidth / 8
    }

    private static func copy(
        _ bytes: UnsafeRawBufferPointer,
        to buffer: UnsafeMutableRawBufferPointer,
        _ end: inout Int
    ) {
        unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[end..<end + bytes.count]).copyMemory(from: bytes)
        end += bytes.count
    }
}

// MARK: - Cells of the store

extension RowMessage {
    /// Returns the number of bytes of a cell.
    static func byteCount(of cell: ColumnValue) -> Int {
        switch cell {
        case .null: byteCount(kind: .null)
        case .integer: byteCount(kind: .integer)
        case .real: byteCount(kind: .real)
        case .text(let text): byteCount(kind: .text, content: text.utf8.count)
        case .brokenText(let bytes): byteCount(kind: .text, content: bytes.count)
        case .blob(let bytes): byteCount(kind: .blob, content: bytes.count)
        }
    }

    static func append(_ cell: ColumnValue, to buffer: UnsafeMutableRawBufferPointer, _ end: inout Int) {
        switch cell {
        case .null: unsafe appendNull(to: buffer, &end)
        case .integer(let number): unsafe append(number, to: buffer, &end)
        case .real(let number): unsafe append(number, to: buffer, &end)
        case .text(var text):
            text.withUTF8 { unsafe append(.text, UnsafeRawBufferPointer($0), to: buffer, &end) }
        case .brokenText(let bytes): unsafe bytes.withUnsafeBytes { unsafe append(.text, $0, to: buffer, &end) }
        case .blob(let bytes): unsafe bytes.withUnsafeBytes { unsafe append(.blob, $0, to: buffer, &end) }
        }
    }
}
