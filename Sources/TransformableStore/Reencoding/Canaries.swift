public import Foundation
internal import Transformable

/// Pieces of values that must no longer be in a file: kept in memory, and shown by nothing.
public struct Canaries: Sendable {
    /// Shorter pieces occur by chance.
    static let shortest = 8
    /// A longer piece may lie on two pages.
    static let longest = 32

    private(set) var pieces: [Data] = []
    private var stride = 1

    /// How many there are.
    public var count: Int { pieces.count }

    /// Makes an empty collection.
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
        guard limit > 0, number.isMultiple(of: stride) else { return }
        switch cell {
        case .blob(let bytes), .brokenText(let bytes): add(bytes)
        case .text(let text): add(Data(text.utf8))
        case .null, .integer, .real: break
        }
        guard pieces.count > limit else { return }
        stride *= 2
        pieces = pieces.enumerated().filter { $0.offset.isMultiple(of: 2) }.map(\.element)
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
