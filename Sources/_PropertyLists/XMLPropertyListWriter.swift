internal import Foundation
package import Transformable

/// Writes a table as an XML property list in Apple's format.
///
/// References become dictionaries with the key `CF$UID`.
package struct XMLPropertyListWriter {
    private struct Frame {
        let node: PropertyListNode
        var next = 0
    }

    private static let prolog = """
        <?xml version="1.0" encoding="UTF-8"?>
        <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
        <plist version="1.0">

        """

    private let table: PropertyListTable
    private let dateText: @Sendable (Double) -> String?
    private var output: [UInt8] = []
    private var frames: [Frame] = []

    /// Writes the root object and its contents.
    ///
    /// Shared objects are written each time.
    ///
    /// The table must be a tree. In archives, objects are shared by reference.
    ///
    /// - Parameters:
    ///   - table: The objects.
    ///   - dateText: Writes a time of seconds since 2001; where it gives nil, as by default, whole seconds are written,
    ///     which are all that Apple's own reader takes.
    /// - Returns: The property list.
    /// - Throws: `TransformerError` if XML does not have a value.
    package static func write(
        _ table: PropertyListTable,
        dateText: @escaping @Sendable (Double) -> String? = { _ in nil }
    ) throws(TransformerError) -> [UInt8] {
        var writer = Self(table: table, dateText: dateText)
        writer.append(prolog)
        try writer.begin(table.nodes[table.root])
        while let frame = writer.frames.last {
            try writer.continueWriting(frame)
        }
        writer.append("</plist>\n")
        return writer.output
    }

    private init(table: PropertyListTable, dateText: @escaping @Sendable (Double) -> String?) {
        self.table = table
        self.dateText = dateText
        output.reserveCapacity(table.bytes.count * 2 + table.nodes.count * 32)
    }

    private mutating func append(_ text: String) {
        output.append(contentsOf: text.utf8)
    }

    private mutating func indent() {
        output.append(contentsOf: repeatElement(UInt8(ascii: "\t"), count: frames.count))
    }

    private mutating func continueWriting(_ frame: Frame) throws(TransformerError) {
        let start = frame.node.start
        let count = Int(frame.node.count)
        let isDictionary = frame.node.kind == .dictionary
        guard frame.next < count else {
            frames.removeLast()
            indent()
            append(isDictionary ? "</dict>\n" : "</array>\n")
            return
        }
        frames[frames.count - 1].next += 1
        let index = start + frame.next
        if isDictionary {
            indent()
            appendText(of: table.nodes[Int(table.references[index])], as: "key")
        }
        try begin(table.nodes[Int(table.references[isDictionary ? index + count : index])])
    }

    private mutating func begin(_ node: PropertyListNode) throws(TransformerError) {
        indent()
        switch node.kind {
        case .array, .orderedSet, .set, .dictionary:
            guard !isReferenceLookalike(node) else {
                throw .invalidValue(
                    "in XML, a dictionary with “CF$UID” as its only key would be a reference; write the property list with format: binary"
                )
            }
            let name = node.kind == .dictionary ? "dict" : "array"
            append(node.count == 0 ? "<\(name)/>\n" : "<\(name)>\n")
            if node.count > 0 {
                frames.append(Frame(node: node))
            }
        case .asciiString, .utf8String, .utf16String:
            appendText(of: node, as: "string")
        case .uid:
            append("<dict><key>CF$UID</key><integer>\(node.payload)</integer></dict>\n")
        case .boolean:
            append(node.payload == 1 ? "<true/>\n" : "<false/>\n")
        case .null:
            throw .invalidValue("XML property lists cannot contain null; write the property list with format: binary")
        case .integer, .wideInteger:
            append("<integer>\(table.integer(node) ?? 0)</integer>\n")
        case .real:
            append("<real>\(XMLNumber.text(node.double))</real>\n")
        case .date:
            if let text = dateText(node.double) { return append("<date>\(text)</date>\n") }
            guard let seconds = Int(exactly: node.double.rounded(.down)), abs(seconds) < 1 << 50 else {
                let fault = "XML property lists cannot contain a date that is so far away"
                throw .invalidValue("\(fault); write the property list with format: binary")
            }
            append("<date>\(XMLDate.text(seconds))</date>\n")
        case .data:
            append("<data>")
            output.append(contentsOf: table.data(node).base64EncodedData())
            append("</data>\n")
        }
    }

    private func isReferenceLookalike(_ node: PropertyListNode) -> Bool {
        node.kind == .dictionary && node.count == 1
            && table.value(named: "CF$UID", in: node).map { table.nodes[$0].kind == .integer } ?? false
    }

    private mutating func appendText(of node: PropertyListNode, as name: String) {
        append("<\(name)>")
        for byte in table.repairedText(node).utf8 {
            switch byte {
            case UInt8(ascii: "<"): append("&lt;")
            case UInt8(ascii: ">"): append("&gt;")
            case UInt8(ascii: "&"): append("&amp;")
            case UInt8(ascii: "\r"): append("&#13;")
            // Other control characters are written as they are, which XML does not allow, but Apple's frameworks do.
            default: output.append(byte)
            }
        }
        append("</\(name)>\n")
    }
}
