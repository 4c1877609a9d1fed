package import Foundation
internal import Transformable

extension PropertyListTable {
    /// Returns the text of a string, or nil if it contains an unpaired surrogate, which a Swift string cannot contain.
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

    /// Returns the text of a string for display, in which invalid parts are replaced.
    package func repairedText(_ node: PropertyListNode) -> String {
        text(node) ?? String(decoding: units(node), as: UTF16.self)
    }

    /// Returns the code units of a string that is stored in UTF-16.
    private func units(_ node: PropertyListNode) -> [UInt16] {
        guard node.kind == .utf16String else { return [] }
        let start = node.start
        return (0..<Int(node.count))
            .map { index in
                UInt16(bytes[start + 2 * index]) << 8 | UInt16(bytes[start + 2 * index + 1])
            }
    }

    /// Returns whether a string has the same bytes as a text.
    ///
    /// Unicode's canonical equivalence is ignored.
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

    /// Returns the bytes of data.
    package func data(_ node: PropertyListNode) -> Data {
        let start = node.start
        return Data(bytes[start..<start + Int(node.count)])
    }

    /// Returns the value of an integer of any width.
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

    /// Returns the value of a number as a double.
    package func double(_ node: PropertyListNode) -> Double? {
        node.kind == .real ? node.double : integer(node).map { Double($0) }
    }
}
