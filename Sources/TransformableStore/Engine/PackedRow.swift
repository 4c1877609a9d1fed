package import Foundation

/// The cells of a row in a single allocation, as they came from the database.
///
/// Each cell takes 16 bytes for its kind and length, and for its number or the position of its bytes. These are
/// followed by the bytes of all strings and blobs.
///
/// `@unchecked` because the bytes are written before the row is handed out, and never again.
@safe
package struct PackedRow: @unchecked Sendable {
    /// SQLite's own numbers for the types of cells.
    package enum Kind: UInt8, Sendable {
        case integer = 1
        case real = 2
        case text = 3
        case blob = 4
        case null = 5
    }

    package static let headerSize = 16
    private static let lengthMask: UInt64 = (1 << 56) - 1

    private let bytes: RowBytes
    // The position of the first cell; other cells may precede it.
    private let first: Int32
    private let cellCount: Int32

    package static let empty = unsafe Self(count: 0, size: 0) { _ in }

    /// Creates a row whose bytes are all written by a closure, unless it throws an error.
    package init<Failure: Error>(
        count: Int,
        size: Int,
        _ write: (UnsafeMutableRawBufferPointer) throws(Failure) -> Void
    ) throws(Failure) {
        bytes = try unsafe RowBytes.make(size, write)
        first = 0
        cellCount = Int32(count)
    }

    private init(_ bytes: RowBytes, _ cells: Range<Int>) {
        self.bytes = bytes
        first = Int32(cells.lowerBound)
        cellCount = Int32(cells.count)
    }

    /// The number of cells.
    package var count: Int { Int(cellCount) }

    /// The size of the row in bytes.
    var size: Int { bytes.header }

    /// The position of a cell's header.
    private func offset(_ index: Int) -> Int {
        (Int(first) + index) * Self.headerSize
    }

    package static func header(_ kind: Kind, length: Int) -> UInt64 {
        UInt64(kind.rawValue) << 56 | UInt64(length)
    }

    private func word(at offset: Int) -> UInt64 {
        unsafe bytes.withBytes { unsafe $0.loadUnaligned(fromByteOffset: offset, as: UInt64.self) }
    }

    package func kind(_ index: Int) -> Kind {
        Kind(rawValue: UInt8(word(at: offset(index)) >> 56)) ?? .null
    }

    package func isNull(_ index: Int) -> Bool {
        kind(index) == .null
    }

    private func payload(_ index: Int) -> UInt64 {
        word(at: offset(index) + 8)
    }

    package func integer(_ index: Int) -> Int64 {
        Int64(bitPattern: payload(index))
    }

    package func real(_ index: Int) -> Double {
        Double(bitPattern: payload(index))
    }

    /// Returns the range of a cell's bytes, which is empty for a number.
    ///
    /// In a damaged file, there may be a number instead of text.
    private func range(_ index: Int) -> Range<Int> {
        guard hasBytes(index) else { return 0..<0 }
        let start = Int(payload(index))
        return start..<start + Int(word(at: offset(index)) & Self.lengthMask)
    }

    /// Returns the number of bytes of text or a blob, which is 0 for a number.
    func length(_ index: Int) -> Int {
        range(index).count
    }

    private func hasBytes(_ index: Int) -> Bool {
        kind(index) == .text || kind(index) == .blob
    }

    /// Returns a copy of the bytes of text or a blob.
    package func data(_ index: Int) -> Data {
        let range = range(index)
        // Uses the buffer directly, because Data copies a slice through three closures.
        return unsafe bytes.withBytes { unsafe Data(UnsafeRawBufferPointer(rebasing: $0[range])) }
    }

    /// Calls a closure with the bytes of text or a blob in place.
    package func lend<Result>(_ index: Int, _ body: (Span<UInt8>) throws -> Result) rethrows -> Result {
        let range = range(index)
        return try unsafe bytes.withBytes { buffer in
            try unsafe body(Span(_unsafeBytes: UnsafeRawBufferPointer(rebasing: buffer[range])))
        }
    }

    /// Returns text, or `nil` if the cell does not contain valid UTF-8.
    package func text(_ index: Int) -> String? {
        guard hasBytes(index) else { return nil }
        return lend(index) { text in
            guard let valid = try? UTF8Span(validating: text) else { return nil }
            return String(copying: valid)
        }
    }

    /// Returns a row of some of the cells, which shares the bytes of this one.
    package func cells(from first: Int, count: Int) -> Self {
        let start = Int(self.first) + first
        return Self(bytes, start..<start + count)
    }

    /// Returns the content of a cell.
    package func value(_ index: Int) -> ColumnValue {
        switch kind(index) {
        case .integer: .integer(integer(index))
        case .real: .real(real(index))
        case .text: text(index).map(ColumnValue.text) ?? .brokenText(data(index))
        case .blob: .blob(data(index))
        case .null: .null
        }
    }
}

/// Rows are equal if the bytes of their cells are.
extension PackedRow: Hashable {
    package static func == (left: Self, right: Self) -> Bool {
        left.count == right.count && (0..<left.count).allSatisfy { left.isEqual(to: right, $0) }
    }

    private func isEqual(to other: Self, _ index: Int) -> Bool {
        guard word(at: offset(index)) == other.word(at: other.offset(index)) else { return false }
        guard hasBytes(index) else { return payload(index) == other.payload(index) }
        return unsafe withBytes(index) { own in unsafe other.withBytes(index) { unsafe own.elementsEqual($0) } }
    }

    package func hash(into hasher: inout Hasher) {
        for index in 0..<count {
            hasher.combine(word(at: offset(index)))
            guard hasBytes(index) else {
                hasher.combine(payload(index))
                continue
            }
            unsafe withBytes(index) { unsafe hasher.combine(bytes: $0) }
        }
    }

    /// Calls a closure with the bytes of text or a blob in place.
    private func withBytes<Result>(_ index: Int, _ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        let range = range(index)
        return try unsafe bytes.withBytes { try unsafe body(UnsafeRawBufferPointer(rebasing: $0[range])) }
    }
}

extension PackedRow {
    /// Creates a row with one cell.
    init(single value: ColumnValue) {
        self.init([value])
    }

    /// Creates a row.
    init(_ values: [ColumnValue]) {
        let cells = values.map(Self.cell)
        let first = cells.count * Self.headerSize
        unsafe self.init(count: cells.count, size: first + cells.reduce(0) { $0 + $1.content.count }) { buffer in
            var end = first
            for (index, cell) in cells.enumerated() {
                let offset = index * Self.headerSize
                let payload = cell.number ?? UInt64(end)
                unsafe buffer.storeBytes(
                    of: Self.header(cell.kind, length: cell.content.count),
                    toByteOffset: offset,
                    as: UInt64.self
                )
                unsafe buffer.storeBytes(of: payload, toByteOffset: offset + 8, as: UInt64.self)
                unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[end...]).copyBytes(from: cell.content)
                end += cell.content.count
            }
        }
    }

    /// Returns the kind of a cell, and its number or its bytes.
    private static func cell(_ value: ColumnValue) -> (kind: Kind, number: UInt64?, content: [UInt8]) {
        switch value {
        case .null: (.null, 0, [])
        case .integer(let number): (.integer, UInt64(bitPattern: number), [])
        case .real(let number): (.real, number.bitPattern, [])
        case .text(let text): (.text, nil, Array(text.utf8))
        case .brokenText(let data): (.text, nil, Array(data))
        case .blob(let data): (.blob, nil, Array(data))
        }
    }
}

/// The bytes of a row.
///
/// The header is their number. A single allocation avoids looking up the type of an array.
private final class RowBytes: ManagedBuffer<Int, UInt8> {
    static func make<Failure: Error>(
        _ size: Int,
        _ write: (UnsafeMutableRawBufferPointer) throws(Failure) -> Void
    ) throws(Failure) -> RowBytes {
        let buffer = create(minimumCapacity: size) { _ in size }
        // The elements have room for `size` bytes, all of which the closure writes.
        try unsafe buffer.withUnsafeMutablePointerToElements { start throws(Failure) in
            try unsafe write(UnsafeMutableRawBufferPointer(start: start, count: size))
        }
        // `create` returns an instance of the class that it is called on.
        return unsafe unsafeDowncast(buffer, to: RowBytes.self)
    }

    func withBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        try unsafe withUnsafeMutablePointers { count, bytes in
            try unsafe body(UnsafeRawBufferPointer(start: bytes, count: count.pointee))
        }
    }
}
