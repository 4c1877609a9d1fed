package import Foundation
internal import Transformable

extension PropertyListTable {
    /// The text of a string; nil for UTF-16 with half a surrogate pair, which no Swift string can hold.
    package func text(_ node: PropertyListNode) -> String? {
        let start = node.start
        let count = Int(node.count)
        switch node.kind {
        case .asciiString, .utf8String:
            return String(decoding: bytes[start..<start + count], as: UTF8.self)
        case .utf16String:
            return String(validating: units(node), as: UTF16.self)
        default:
            return nil
        }
    }

    /// The text of a string for a person to read: whatever is not text in it is replaced.
    package func repairedText(_ node: PropertyListNode) -> String {
        text(node) ?? String(decoding: units(node), as: UTF16.self)
    }

    /// The 16-bit units of a string kept in UTF-16.
    private func units(_ node: PropertyListNode) -> [UInt16] {
        guard node.kind == .utf16String else { return [] }
        let start = node.start
        return (0..<Int(node.count))
            .map { index in
                UInt16(bytes[start + 2 * index]) << 8 | UInt16(bytes[start + 2 * index + 1])
            }
    }

    /// Whether a string node holds a text, byte for byte: Unicode's equivalences do not count.
    package func string(_ node: PropertyListNode, equals text: String) -> Bool {
        switch node.kind {
        case .asciiString, .utf8String:
            guard Int(node.count) == text.utf8.count else { return false }
            let start = node.start
            return text.utf8.elementsEqual(bytes[start..<start + Int(node.count)])
        case .utf16String:
            return self.text(node).map { $0.utf8.elementsEqual(text.utf8) } ?? false
        default:
            return false
        }
    }

    /// The bytes of data.
    package func data(_ node: PropertyListNode) -> Data {
        let start = node.start
        return Data(bytes[start..<start + Int(node.count)])
    }

    /// The value of an integer of any width.
    package func integer(_ node: PropertyListNode) -> Int128? {
        switch node.kind {
        case .integer:
            return Int128(node.number)
        case .wideInteger:
            let start = node.start
            let bits = bytes[start..<start + 16].reduce(UInt128(0)) { $0 << 8 | UInt128($1) }
            return Int128(truncatingIfNeeded: bits)
        default:
            return nil
        }
    }

    /// The value of a number, as a double.
    package func double(_ node: PropertyListNode) -> Double? {
        node.kind == .real ? node.double : integer(node).map { Double($0) }
    }
}
