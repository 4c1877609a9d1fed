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
    fileprivate static func tooManyBytes(_ limit: Int) -> Self {
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

extension PropertyListTable {
    /// Verifies that the keys of dictionaries are strings.
    func checkKeys() throws(TransformerError) {
        for (index, node) in nodes.enumerated() where node.kind == .dictionary {
            guard keys(of: node).allSatisfy({ nodes[Int($0)].isString }) else {
                throw .invalidData(
                    "a dictionary of the property list has a key that is not a string",
                    offset: offset(of: index)
                )
            }
        }
    }

    /// Verifies that no container contains itself, and that none is nested too deeply.
    ///
    /// After this check, it is safe to process containers recursively.
    func checkNesting() throws(TransformerError) {
        // 0 means not visited, `open` means not finished, and any other number is the height.
        var heights = [UInt16](repeating: 0, count: nodes.count)
        var path: [(node: Int, next: Int, end: Int)] = []
        for start in nodes.indices where nodes[start].isContainer && heights[start] == 0 && !isFlat(start, &heights) {
            path.append(frame(start, &heights))
            while let top = path.last {
                guard top.next < top.end else {
                    path.removeLast()
                    try close(top.node, &heights)
                    continue
                }
                path[path.count - 1].next += 1
                let child = Int(references[top.next])
                guard nodes[child].isContainer, heights[child] == 0 || heights[child] == Self.open else { continue }
                guard heights[child] == 0 else {
                    throw .invalidData("a container of the property list contains itself", offset: offset(of: child))
                }
                guard !isFlat(child, &heights) else { continue }
                guard path.count < Self.deepest else { throw .listTooDeep(offset: offset(of: child)) }
                path.append(frame(child, &heights))
            }
        }
    }

    private static let open = UInt16.max
    /// The maximum nesting of arrays and dictionaries.
    ///
    /// In archives, objects refer to each other instead.
    package static let deepest = 512

    /// Returns whether a container contains no other container, like most of them.
    ///
    /// Its height is then known.
    private func isFlat(_ node: Int, _ heights: inout [UInt16]) -> Bool {
        let values = valueRange(of: nodes[node])
        for index in values where nodes[Int(references[index])].isContainer {
            return false
        }
        heights[node] = 1
        return true
    }

    /// Returns the positions of a container's elements or a dictionary's values among the references.
    private func valueRange(of node: PropertyListNode) -> Range<Int> {
        let count = Int(node.count)
        let start = node.kind == .dictionary ? node.start + count : node.start
        return start..<start + count
    }

    private func frame(_ node: Int, _ heights: inout [UInt16]) -> (node: Int, next: Int, end: Int) {
        heights[node] = Self.open
        let values = valueRange(of: nodes[node])
        return (node, values.lowerBound, values.upperBound)
    }

    private func close(_ node: Int, _ heights: inout [UInt16]) throws(TransformerError) {
        var height = 1
        for index in valueRange(of: nodes[node]) {
            height = max(height, 1 + Int(heights[Int(references[index])]))
        }
        guard height <= Self.deepest else { throw .listTooDeep(offset: offset(of: node)) }
        heights[node] = UInt16(height)
    }
}
