public import Foundation
internal import Transformable

/// Pieces of values that must no longer be in a file: kept in memory, and shown by nothing.
public struct Canaries: Sendable {
    /// Shorter pieces occur by chance.
    static let shortest = 8
    /// A longer piece may lie on two pages.
    static let longest = 32

    var pieces: [Data] = []
    private var stride = 1

    /// How many there are.
    public var count: Int { pieces.count }

    /// Creates an empty collection.
    public init() {}

    /// Takes the beginnings of values.
    ///
    /// - Parameter values: Bytes; those of fewer than 8 are left out.
    public init(_ values: some Sequence<Data>) {
        for value in values { add(value) }
    }

    /// Adds those of another collection.
    ///
    /// - Parameter other: The other one.
    public mutating func merge(_ other: Canaries) {
        pieces += other.pieces
    }

    private mutating func add(_ bytes: Data) {
        guard bytes.count >= Self.shortest else { return }
        pieces.append(Data(bytes.prefix(Self.longest)))
    }

    /// Takes every cell, then every second, every fourth, so that the sample is spread over the whole column.
    mutating func sample(_ cell: ColumnValue, number: Int, limit: Int) {
        guard wants(number, limit: limit) else { return }
        switch cell {
        case .blob(let bytes), .brokenText(let bytes): add(bytes)
        case .text(let text): add(Data(text.utf8))
        case .null, .integer, .real: break
        }
        prune(limit)
    }

    /// Takes the value of a cell, where that is text or bytes and the cell holds it in another form.
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

    /// Whether a cell belongs to the sample.
    func wants(_ number: Int, limit: Int) -> Bool {
        limit > 0 && number.isMultiple(of: stride)
    }

    private mutating func prune(_ limit: Int) {
        guard pieces.count > limit else { return }
        stride *= 2
        // By pairs, since a cell may have given two.
        pieces = pieces.enumerated().filter { $0.offset % 4 < 2 }.map(\.element)
    }
}

extension Canaries: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// How many there are, and nothing of what they are.
    public var description: String { "\(count.counted("sample")) of old values" }

    /// How many there are, and nothing of what they are.
    public var debugDescription: String { description }

    /// How many there are, and nothing of what they are.
    public var customMirror: Mirror { Mirror(self, children: ["count": count]) }
}
