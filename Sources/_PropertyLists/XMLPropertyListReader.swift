internal import Foundation
internal import Transformable

/// Reads Apple's XML property list format, as defined by `PropertyList-1.0.dtd`.
///
/// A dictionary with `CF$UID` as its only key is a reference, as in CoreFoundation.
struct XMLPropertyListReader {
    /// A container whose end has not been reached.
    private struct Frame {
        let name: Range<Int>
        let isDictionary: Bool
        /// The index of its first child among the pending ones.
        let start: Int
    }

    private let limits: PropertyListLimits
    private var scanner: XMLScanner
    private var table: PropertyListTable
    private var frames: [Frame] = []
    private var pending: [UInt32] = []
    private var isInPlist = false

    static func read(_ bytes: [UInt8], limits: PropertyListLimits) throws(TransformerError) -> PropertyListTable {
        let bytes = try utf8(bytes)
        var reader = Self(bytes, limits: limits)
        try reader.readAll()
        return reader.table
    }

    /// Returns the text in UTF-8.
    ///
    /// UTF-16 is recognized by its byte order mark (XML 1.0, appendix F.1).
    private static func utf8(_ bytes: [UInt8]) throws(TransformerError) -> [UInt8] {
        let isUTF16 = bytes.starts(with: [0xFE, 0xFF]) || bytes.starts(with: [0xFF, 0xFE])
        if isUTF16 {
            let text = try TextTransformer(encoding: .utf16).decode(Data(bytes), in: .none)
            return Array(text.utf8)
        }
        let isMarked = bytes.starts(with: [0xEF, 0xBB, 0xBF])
        guard isMarked || bytes.first(where: { !XMLScanner.isSpace($0) }) == UInt8(ascii: "<") else {
            throw .invalidData("the bytes are not a property list, neither binary nor XML", offset: 0)
        }
        try XMLScanner.checkEncoding(of: bytes)
        _ = try TextTransformer().decode(Data(bytes), in: .none)
        return bytes
    }

    private init(_ bytes: [UInt8], limits: PropertyListLimits) {
        self.limits = limits
        scanner = XMLScanner(bytes, from: bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0)
        table = PropertyListTable(sourceCount: bytes.count)
        table.bytes = bytes
    }

    private mutating func readAll() throws(TransformerError) {
        try scanner.skipMisc()
        repeat {
            try readNext()
            try scanner.skipMisc()
        } while !frames.isEmpty || (pending.isEmpty && !scanner.isAtEnd)
        if isInPlist, !scanner.isAtEnd {
            let tag = try scanner.readTag()
            guard tag.isClosing, scanner.text(tag.name) == "plist" else {
                throw .invalidData("a property list must contain exactly one object", offset: tag.name.lowerBound)
            }
            try scanner.skipMisc()
        } else if isInPlist {
            throw .invalidData("the XML is truncated: “</plist>” is missing", offset: scanner.position)
        }
        guard let root = pending.first, scanner.isAtEnd else {
            throw .invalidData("a property list must contain exactly one object", offset: scanner.position)
        }
        table.root = Int(root)
    }

    private mutating func readNext() throws(TransformerError) {
        let start = scanner.position
        let tag = try scanner.readTag()
        if tag.isClosing {
            try close(tag, at: start)
            return
        }
        guard table.nodes.count < limits.objects else { throw .tooManyObjects(limits.objects, offset: start) }
        let name = scanner.text(tag.name)
        guard isInPlist || name == "plist" else {
            throw .invalidData("the property list is not inside a “plist” element", offset: start)
        }
        let isKey = name == "key"
        guard isKey == isKeyExpected else {
            throw .invalidData(isKey ? "a key is outside a dictionary" : "a key is missing", offset: start)
        }
        switch name {
        case "plist":
            guard !isInPlist, frames.isEmpty, !tag.isEmpty else {
                throw .invalidData("a “plist” element must contain one object", offset: start)
            }
            isInPlist = true
        case "dict", "array":
            try open(tag, isDictionary: name == "dict", at: start)
        default:
            pending.append(table.append(try readScalar(name, tag, at: start)))
        }
    }

    private var isKeyExpected: Bool {
        guard let frame = frames.last else { return false }
        return frame.isDictionary && (pending.count - frame.start).isMultiple(of: 2)
    }

    private mutating func open(_ tag: XMLScanner.Tag, isDictionary: Bool, at start: Int) throws(TransformerError) {
        guard frames.count < PropertyListTable.deepest else { throw .listTooDeep(offset: start) }
        frames.append(Frame(name: tag.name, isDictionary: isDictionary, start: pending.count))
        if tag.isEmpty {
            try close(tag, at: start)
        }
    }

    private mutating func close(_ tag: XMLScanner.Tag, at start: Int) throws(TransformerError) {
        guard let frame = frames.popLast(), scanner.text(frame.name) == scanner.text(tag.name) else {
            throw .invalidData("“\(scanner.text(tag.name))” is closed but was not opened", offset: start)
        }
        let children = pending[frame.start...]
        let node: PropertyListNode
        if frame.isDictionary {
            guard children.count.isMultiple(of: 2) else {
                throw .invalidData("the last key of a dictionary has no value", offset: start)
            }
            let keys = stride(from: frame.start, to: pending.count, by: 2).map { pending[$0] }
            let values = stride(from: frame.start + 1, to: pending.count, by: 2).map { pending[$0] }
            node = reference(keys, values) ?? table.dictionaryNode(keys: keys, values: values)
        } else {
            node = table.arrayNode(children)
        }
        pending.removeSubrange(frame.start...)
        pending.append(table.append(node))
    }

    /// Returns the reference that a dictionary with the key `CF$UID` represents.
    private func reference(_ keys: [UInt32], _ values: [UInt32]) -> PropertyListNode? {
        guard keys.count == 1, table.string(table.nodes[Int(keys[0])], equals: "CF$UID"),
            case let value = table.nodes[Int(values[0])], value.kind == .integer,
            let number = UInt32(exactly: value.number)
        else { return nil }
        return PropertyListNode(.uid, payload: UInt64(number))
    }

    private mutating func readScalar(
        _ name: String,
        _ tag: XMLScanner.Tag,
        at start: Int
    ) throws(TransformerError) -> PropertyListNode {
        switch name {
        case "string", "key":
            return tag.isEmpty ? table.stringNode(from: 0, count: 0) : try readString(tag)
        case "true", "false":
            if !tag.isEmpty { try scanner.readEnd(of: tag.name) }
            return PropertyListNode(.boolean, payload: name == "true" ? 1 : 0)
        case "integer", "real", "date", "data":
            let content = tag.isEmpty ? scanner.position..<scanner.position : scanner.readText()
            if !tag.isEmpty { try scanner.readEnd(of: tag.name) }
            guard let node = scalar(name, content) else {
                throw .invalidData("the contents of “\(name)” are not valid", offset: content.lowerBound)
            }
            return node
        default:
            throw .invalidData("a property list has no element “\(name)”", offset: start)
        }
    }

    private mutating func scalar(_ name: String, _ content: Range<Int>) -> PropertyListNode? {
        if name == "data" {
            return Base64Text.bytes(of: scanner.bytes[content]).map { table.dataNode($0) }
        }
        let text = scanner.text(content).trimmingCharacters(in: .whitespacesAndNewlines)
        switch name {
        case "integer": return XMLNumber.integer(text).map { table.integerNode($0) }
        case "real": return Double(text).map { PropertyListNode(.real, payload: $0.bitPattern) }
        default: return XMLDate.time(text).map { PropertyListNode(.date, payload: $0.bitPattern) }
        }
    }

    /// Reads a string up to its end.
    ///
    /// It is not copied unless it contains an entity or markup.
    private mutating func readString(_ tag: XMLScanner.Tag) throws(TransformerError) -> PropertyListNode {
        let content = scanner.readText()
        let isPlain = !scanner.starts(with: "<!") && !scanner.bytes[content].contains(UInt8(ascii: "&"))
        if isPlain {
            try scanner.readEnd(of: tag.name)
            return table.stringNode(from: content.lowerBound, count: content.count)
        }
        let start = table.bytes.count
        try appendText(content)
        while scanner.starts(with: "<!") {
            if scanner.starts(with: "<![CDATA[") {
                let opening = scanner.position + 9
                try scanner.skip(past: "]]>")
                table.bytes.append(contentsOf: scanner.bytes[opening..<scanner.position - 3])
            } else {
                try scanner.skip(past: "-->")
            }
            try appendText(scanner.readText())
        }
        try scanner.readEnd(of: tag.name)
        return table.stringNode(from: start, count: table.bytes.count - start)
    }

    /// Appends text with its entities replaced.
    ///
    /// Carriage returns are kept, because Apple's frameworks write them as they are.
    private mutating func appendText(_ range: Range<Int>) throws(TransformerError) {
        var rest = scanner.bytes[range]
        while let ampersand = rest.firstIndex(of: UInt8(ascii: "&")) {
            table.bytes.append(contentsOf: rest[..<ampersand])
            guard let end = rest[ampersand...].prefix(12).firstIndex(of: UInt8(ascii: ";")),
                let scalar = XMLEntity.scalar(scanner.text(ampersand + 1..<end))
            else {
                throw .invalidData("“&” does not begin an entity of XML", offset: ampersand)
            }
            table.bytes.append(contentsOf: UTF8.encode(scalar) ?? .init())
            rest = rest[(end + 1)...]
        }
        table.bytes.append(contentsOf: rest)
    }
}
