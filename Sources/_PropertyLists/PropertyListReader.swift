package import Foundation
package import Transformable

/// Reads a property list in either format into a table.
package enum PropertyListReader {
    /// Returns whether bytes look like a property list, which can be damaged.
    package static func recognizes(_ data: Data) -> Bool {
        let start = data.prefix(512)
        if BinaryPropertyListReader.recognizes(start) { return true }
        let text = String(decoding: start, as: UTF8.self).drop { $0.isWhitespace || $0 == "\u{FEFF}" }
        return text.first == "<" && (text.contains("<plist") || text.contains("DOCTYPE plist"))
    }

    /// Reads a property list, whose first bytes determine its format.
    ///
    /// The table is valid: all counts, offsets, and references are within bounds, dictionaries have
    /// strings as keys, no container contains itself, and containers are not nested deeper than
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

/// The limits for reading a property list, which are checked before memory is allocated.
package struct PropertyListLimits: Sendable {
    /// The maximum size in bytes.
    package var bytes: Int
    /// The maximum number of objects.
    package var objects: Int

    package init(bytes: Int, objects: Int) {
        self.bytes = bytes
        self.objects = objects
    }
}

/// The format of a property list.
package enum PropertyListForm: String, Sendable {
    case binary
    case xml
}

extension TransformerError {
    static func tooManyBytes(_ limit: Int) -> Self {
        limitExceeded("the property list is larger than \(limit) bytes; raise the limit “bytes”")
    }

    static func tooManyObjects(_ limit: Int, offset: Int? = nil) -> Self {
        let message = "the property list contains more than \(limit) objects; raise the limit “objects”"
        return limitExceeded(message, offset: offset)
    }

    /// Arrays and dictionaries are nested too deeply.
    static func listTooDeep(offset: Int? = nil) -> Self {
        let message =
            "arrays and dictionaries of the property list are nested more than \(PropertyListTable.deepest) levels deep"
        return limitExceeded(message, offset: offset)
    }
}
