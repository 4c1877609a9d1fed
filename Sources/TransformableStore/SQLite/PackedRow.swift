internal import Foundation

/// The cells of one row in a single allocation, as they came from SQLite.
///
/// First 16 bytes for each cell: its kind and length, then its number, or where its bytes begin;
/// after these the bytes of all texts and blobs.
///
/// `@unchecked`: the bytes are written before the row is handed out, and never again.
@safe
struct PackedRow: @unchecked Sendable {
    /// SQLite's own numbers for what a cell holds.
    enum Kind: UInt8 {
        case integer = 1
        case real = 2
        case text = 3
        case blob = 4
        case null = 5
    }

    static let headerSize = 16
    private static let lengthMask: UInt64 = (1 << 56) - 1

    private let bytes: RowBytes

    static let empty = unsafe Self(size: 0) { _ in }

    /// Creates a row of bytes that a function writes, each of them.
    init(size: Int, _ write: (UnsafeMutableRawBufferPointer) -> Void) {
        bytes = unsafe RowBytes.make(size, write)
    }

    /// How many bytes it takes.
    var size: Int { bytes.header }

    static func header(_ kind: Kind, length: Int) -> UInt64 {
        UInt64(kind.rawValue) << 56 | UInt64(length)
    }

    private func word(at offset: Int) -> UInt64 {
        unsafe bytes.withBytes { unsafe $0.loadUnaligned(fromByteOffset: offset, as: UInt64.self) }
    }

    func kind(_ index: Int) -> Kind {
        Kind(rawValue: UInt8(word(at: index * Self.headerSize) >> 56)) ?? .null
    }

    func isNull(_ index: Int) -> Bool {
        kind(index) == .null
    }

    private func payload(_ index: Int) -> UInt64 {
        word(at: index * Self.headerSize + 8)
    }

    func integer(_ index: Int) -> Int64 {
        Int64(bitPattern: payload(index))
    }

    func real(_ index: Int) -> Double {
        Double(bitPattern: payload(index))
    }

    /// Where a cell's bytes lie; nowhere for a number, which a damaged file may have in place of a text.
    private func range(_ index: Int) -> Range<Int> {
        guard hasBytes(index) else { return 0..<0 }
        let start = Int(payload(index))
        return start..<start + Int(word(at: index * Self.headerSize) & Self.lengthMask)
    }

    private func hasBytes(_ index: Int) -> Bool {
        kind(index) == .text || kind(index) == .blob
    }

    /// A copy of a text's or blob's bytes.
    func data(_ index: Int) -> Data {
        let range = range(index)
        // The buffer itself, since Data takes a slice of one through three closures.
        return unsafe bytes.withBytes { unsafe Data(UnsafeRawBufferPointer(rebasing: $0[range])) }
    }

    /// Lends a text's or blob's bytes where they lie.
    func lend<Result>(_ index: Int, _ body: (Span<UInt8>) throws -> Result) rethrows -> Result {
        let range = range(index)
        return try unsafe bytes.withBytes { buffer in
            try unsafe body(Span(_unsafeBytes: UnsafeRawBufferPointer(rebasing: buffer[range])))
        }
    }

    /// A text; nil if its bytes are not UTF-8, or if there are none.
    func text(_ index: Int) -> String? {
        guard hasBytes(index) else { return nil }
        return lend(index) { text in
            guard let valid = try? UTF8Span(validating: text) else { return nil }
            return String(copying: valid)
        }
    }

    /// A cell as it is.
    func value(_ index: Int) -> ColumnValue {
        switch kind(index) {
        case .integer: .integer(integer(index))
        case .real: .real(real(index))
        case .text: text(index).map(ColumnValue.text) ?? .brokenText(data(index))
        case .blob: .blob(data(index))
        case .null: .null
        }
    }
}

/// Rows are equal by their bytes.
extension PackedRow: Hashable {
    static func == (left: Self, right: Self) -> Bool {
        unsafe left.bytes.withBytes { own in unsafe right.bytes.withBytes { unsafe own.elementsEqual($0) } }
    }

    func hash(into hasher: inout Hasher) {
        unsafe bytes.withBytes { unsafe hasher.combine(bytes: $0) }
    }
}

extension PackedRow {
    /// A row of one cell.
    init(single value: ColumnValue) {
        var content: [UInt8] = []
        let kind: Kind
        var payload = UInt64(Self.headerSize)
        switch value {
        case .null: kind = .null
        case .integer(let number): (kind, payload) = (.integer, UInt64(bitPattern: number))
        case .real(let number): (kind, payload) = (.real, number.bitPattern)
        case .text(let text): (kind, content) = (.text, Array(text.utf8))
        case .brokenText(let data): (kind, content) = (.text, Array(data))
        case .blob(let data): (kind, content) = (.blob, Array(data))
        }
        unsafe self.init(size: Self.headerSize + content.count) { buffer in
            unsafe buffer.storeBytes(of: Self.header(kind, length: content.count), as: UInt64.self)
            unsafe buffer.storeBytes(of: payload, toByteOffset: 8, as: UInt64.self)
            unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[Self.headerSize...]).copyBytes(from: content)
        }
    }
}

/// The bytes of a row, in one allocation that costs no look-up of an array's type; their number is the header.
private final class RowBytes: ManagedBuffer<Int, UInt8> {
    static func make(_ size: Int, _ write: (UnsafeMutableRawBufferPointer) -> Void) -> RowBytes {
        let buffer = create(minimumCapacity: size) { _ in size }
        // The elements have room for `size` bytes, all of which the function writes.
        unsafe buffer.withUnsafeMutablePointerToElements {
            unsafe write(UnsafeMutableRawBufferPointer(start: $0, count: size))
        }
        // `create` makes an object of the class that it is called on.
        return unsafe unsafeDowncast(buffer, to: RowBytes.self)
    }

    func withBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        try unsafe withUnsafeMutablePointers { count, bytes in
            try unsafe body(UnsafeRawBufferPointer(start: bytes, count: count.pointee))
        }
    }
}
