package import Foundation
package import Transformable

/// Reads a property list of either form into a table.
package enum PropertyListReader {
    /// Whether bytes look like a property list, whole or damaged.
    package static func recognizes(_ data: Data) -> Bool {
        let start = data.prefix(512)
        if BinaryPropertyListReader.recognizes(start) { return true }
        let text = String(decoding: start, as: UTF8.self).drop { $0.isWhitespace || $0 == "\u{FEFF}" }
        return text.first == "<" && (text.contains("<plist") || text.contains("DOCTYPE plist"))
    }

    /// Reads a property list; its first bytes say which form it has.
    ///
    /// The table is whole: every count, offset and reference in it is valid, dictionaries have
    /// strings for keys, nothing contains itself, and nothing is nested deeper than
    /// `PropertyListTable.deepest`.
    package static func read(
        _ data: Data,
        limits: PropertyListLimits
    ) throws(TransformerError) -> (table: PropertyListTable, form: PropertyListForm) {
        guard data.count <= limits.bytes else { throw .tooManyBytes(limits.bytes) }
        return BinaryPropertyListReader.recognizes(data)
            ? (try BinaryPropertyListReader.read(data, limits: limits), .binary)
            : (try XMLPropertyListReader.read([UInt8](data), limits: limits), .xml)
    }
}
