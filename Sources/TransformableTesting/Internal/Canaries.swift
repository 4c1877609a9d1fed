internal import Foundation
internal import Transformable

/// Fragments that would reveal values in a message, which may quote any part of them.
struct Canaries {
    /// The number of bytes in a fragment, which makes accidental matches unlikely.
    private static let length = 8
    private var pieces: Set<UInt64> = []

    /// Collects the fragments of values: of text and bytes in several forms, of numbers, and of nested values.
    init(_ values: [Any]) {
        for value in values {
            insert(value, depth: 0)
        }
    }

    /// Returns whether a text contains a fragment of a value.
    func areSeen(in text: String) -> Bool {
        !pieces.isEmpty && Self.pieces(of: text).contains { pieces.contains($0) }
    }

    private mutating func insert(_ value: Any, depth: Int) {
        switch value {
        case let text as String:
            insert(text)
        case let bytes as Data:
            insert(HexadecimalText.text(of: bytes))
            insert(HexadecimalText.text(of: bytes, uppercase: true))
            insert(bytes.base64EncodedString())
            insert(String(decoding: bytes, as: UTF8.self))
        case let number as any Numeric:
            insert("\(number)")
        default:
            guard depth < 8 else { return }
            for child in Mirror(reflecting: value).children {
                insert(child.value, depth: depth + 1)
            }
        }
    }

    private mutating func insert(_ text: String) {
        // Repetitive fragments, such as padding and zeros, would match by accident.
        pieces.formUnion(Self.pieces(of: String(text.prefix(400))).filter { Self.variety(of: $0) > 3 })
    }

    private static func pieces(of text: String) -> [UInt64] {
        var window: UInt64 = 0
        return text.utf8.enumerated()
            .compactMap { index, byte in
                window = window << 8 | UInt64(byte)
                return index + 1 < length ? nil : window
            }
    }

    private static func variety(of piece: UInt64) -> Int {
        Set((0..<length).map { UInt8(truncatingIfNeeded: piece >> UInt64($0 * 8)) }).count
    }
}
