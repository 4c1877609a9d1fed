internal import Foundation

/// The cells of one row in a single allocation, as they came from SQLite.
///
/// First 16 bytes for each cell: its kind and length, then its number, or where its bytes begin;
/// after these the bytes of all texts and blobs.
struct PackedRow {
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

    let bytes: [UInt8]

    static let empty = Self(bytes: [])

    static func header(_ kind: Kind, length: Int) -> UInt64 {
        UInt64(kind.rawValue) << 56 | UInt64(length)
    }

    private func word(at offset: Int) -> UInt64 {
        unsafe bytes.withUnsafeBytes { unsafe $0.loadUnaligned(fromByteOffset: offset, as: UInt64.self) }
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

    private func range(_ index: Int) -> Range<Int> {
        let start = Int(payload(index))
        return start..<start + Int(word(at: index * Self.headerSize) & Self.lengthMask)
    }

    /// A copy of a text's or blob's bytes.
    func data(_ index: Int) -> Data {
        let range = range(index)
        // The buffer itself, since Data takes a slice of one through three closures.
        return unsafe bytes.withUnsafeBytes { unsafe Data(UnsafeRawBufferPointer(rebasing: $0[range])) }
    }

    /// A text; nil if its bytes are not UTF-8.
    func text(_ index: Int) -> String? {
        let range = range(index)
        // The buffer itself, since a slice of one is a generic type that the run time looks up each time.
        return unsafe bytes.withUnsafeBytes { buffer in
            unsafe String(validating: UnsafeRawBufferPointer(rebasing: buffer[range]), as: UTF8.self)
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
        let words = [Self.header(kind, length: content.count), payload]
        bytes = unsafe words.withUnsafeBytes { unsafe Array($0) } + content
    }
}
