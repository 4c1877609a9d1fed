public import Foundation
internal import Transformable

/// Pieces of values that must no longer be in a file.
///
/// They are kept in memory and never shown.
public struct Canaries: Sendable {
    /// Shorter pieces would occur by chance.
    static let shortest = 8
    /// A longer piece may extend over two pages.
    static let longest = 32

    var pieces: [Data] = []
    private var stride = 1

    /// The number of pieces.
    public var count: Int { pieces.count }

    /// Creates an empty collection.
    public init() {}

    /// Creates a collection of the first bytes of values.
    ///
    /// - Parameter values: The values. Those with fewer than 8 bytes are left out.
    public init(_ values: some Sequence<Data>) {
        for value in values { add(value) }
    }

    /// Adds the pieces of another collection.
    ///
    /// - Parameter other: The other collection.
    public mutating func merge(_ other: Canaries) {
        pieces += other.pieces
    }

    private mutating func add(_ bytes: Data) {
        guard bytes.count >= Self.shortest else { return }
        pieces.append(Data(bytes.prefix(Self.longest)))
    }

    /// Samples every cell, then every second, then every fourth cell, and so on, so that the sample covers the whole
    /// column.
    mutating func sample(_ cell: ColumnValue, number: Int, limit: Int) {
        guard wants(number, limit: limit) else { return }
        switch cell {
        case .blob(let bytes), .brokenText(let bytes): add(bytes)
        case .text(let text): add(Data(text.utf8))
        case .null, .integer, .real: break
        }
        prune(limit)
    }

    /// Samples the value of a cell, if it is text or bytes and the cell contains it in a different form.
    mutating func sample(_ value: Any?, of cell: ColumnValue, number: Int, limit: Int) {
        switch (value, cell) {
        case (let text as String, .text(let stored)) where text == stored: return
        case (let text as String, .blob(let stored)) where Data(text.utf8) == stored: return
        case (let bytes as Data, .blob(let stored)) where bytes == stored: return
        case (let text as String, _): sample(.text(text), number: number, limit: limit)
        case (let bytes as Data, _): sample(.blob(bytes), number: number, limit: limit)
        default: return
        }
    }

    /// Returns a Boolean value that indicates whether a cell belongs to the sample.
    func wants(_ number: Int, limit: Int) -> Bool {
        limit > 0 && number.isMultiple(of: stride)
    }

    private mutating func prune(_ limit: Int) {
        guard pieces.count > limit else { return }
        stride *= 2
        // In pairs, because a cell may have contributed two pieces.
        pieces = pieces.enumerated().filter { $0.offset % 4 < 2 }.map(\.element)
    }
}

extension Canaries: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The number of pieces, without their content.
    public var description: String { "\(count.counted("sample")) of old values" }

    /// The number of pieces, without their content.
    public var debugDescription: String { description }

    /// The number of pieces, without their content.
    public var customMirror: Mirror { Mirror(self, children: ["count": count]) }
}

// MARK: - Folding

extension Canaries {
    /// Returns the bytes by which text is found regardless of case, diacritics, whitespace, and punctuation.
    ///
    /// - Parameter bytes: UTF-8, whose last character may be truncated.
    /// - Returns: Only the letters and digits, in lowercase, or `nil` if the bytes are not text or contain too little
    ///   of it.
    static func folded(_ bytes: Data) -> Data? {
        let folded = bytes.allSatisfy { $0 < 0x80 } ? foldedASCII(bytes) : foldedText(bytes)
        return folded.flatMap { $0.count >= shortest ? $0 : nil }
    }

    private static func foldedASCII(_ bytes: Data) -> Data {
        Data(
            bytes.compactMap { byte in
                switch byte {
                case 0x41...0x5A: byte | 0x20
                case 0x30...0x39, 0x61...0x7A: byte
                default: nil
                }
            }
        )
    }

    private static func foldedText(_ bytes: Data) -> Data? {
        // A character has at most four bytes, so a truncated one leaves at most three.
        let text = (0...3).lazy.compactMap { String(bytes: bytes.dropLast($0), encoding: .utf8) }.first
        guard let text else { return nil }
        let letters = text.decomposedStringWithCompatibilityMapping.lowercased().unicodeScalars
            .filter { $0.properties.isAlphabetic || $0.properties.numericType != nil }
        return Data(String(String.UnicodeScalarView(letters)).utf8)
    }

    /// Returns the pieces that are text, in the form that ``folded(_:)`` returns, and the original position of each.
    var folded: (canaries: Canaries, origins: [Int]) {
        let forms = pieces.enumerated().compactMap { piece in Self.folded(piece.element).map { (piece.offset, $0) } }
        var canaries = Canaries()
        canaries.pieces = forms.map(\.1)
        return (canaries, forms.map(\.0))
    }
}
