internal import Transformable

/// Writes JSON in canonical form.
struct JSONWriter {
    private(set) var bytes: [UInt8] = []
    private let pretty: Bool
    private var depth = 0

    init(pretty: Bool = false) {
        self.pretty = pretty
    }

    mutating func write(_ tree: EncodedTree) throws(TransformerError) {
        switch tree {
        case .json(let value): try write(value)
        case .propertyList: throw .invalidValue("part of it is a property list")
        case .array(let values):
            try writeList(values, "[", "]") { writer, value throws(TransformerError) in try writer.write(value) }
        case .keyed(let members):
            try writeList(members, "{", "}") { writer, member throws(TransformerError) in
                writer.writeName(member.name)
                try writer.write(member.value)
            }
        }
    }

    mutating func write(_ value: JSONValue) throws(TransformerError) {
        switch value {
        case .null: bytes += "null".utf8
        case .bool(let flag): bytes += (flag ? "true" : "false").utf8
        case .integer(let number): bytes += String(number).utf8
        case .unsignedInteger(let number): bytes += String(number).utf8
        case .double(let number):
            guard number.isFinite else { throw .invalidValue("JSON cannot represent the number \(number)") }
            bytes += number.description.utf8
        case .number(let text):
            var scanner = NumberScanner(text)
            _ = try scanner.takeNumber()
            try scanner.expectEnd()
            bytes += text.utf8
        case .string(let text): write(text)
        case .array(let values):
            try writeList(values, "[", "]") { writer, value throws(TransformerError) in try writer.write(value) }
        case .object(let members):
            try writeList(sortedByUTF8(members), "{", "}") { writer, member throws(TransformerError) in
                writer.writeName(member.key)
                try writer.write(member.value)
            }
        }
    }

    private mutating func writeName(_ name: String) {
        write(name)
        bytes.append(UInt8(ascii: ":"))
        if pretty { bytes.append(UInt8(ascii: " ")) }
    }

    private mutating func writeList<Element>(
        _ elements: [Element],
        _ open: Unicode.Scalar,
        _ close: Unicode.Scalar,
        _ writeElement: (inout Self, Element) throws(TransformerError) -> Void
    ) throws(TransformerError) {
        bytes.append(UInt8(ascii: open))
        depth += 1
        guard depth <= StructureLimit.depth else {
            throw .limitExceeded("JSON is nested more than \(StructureLimit.depth) levels deep")
        }
        for (index, element) in elements.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            breakLine()
            try writeElement(&self, element)
        }
        depth -= 1
        if !elements.isEmpty { breakLine() }
        bytes.append(UInt8(ascii: close))
    }

    private mutating func breakLine() {
        guard pretty else { return }
        bytes.append(UInt8(ascii: "\n"))
        bytes += [UInt8](repeating: UInt8(ascii: " "), count: 2 * depth)
    }

    /// Writes a string, and escapes only what JSON requires to be escaped (RFC 8259, section 7).
    private mutating func write(_ text: String) {
        bytes.append(UInt8(ascii: "\""))
        if text.utf8.contains(where: { $0 < 0x20 || $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\\") }) {
            writeEscaped(text)
        } else {
            bytes += text.utf8
        }
        bytes.append(UInt8(ascii: "\""))
    }

    private mutating func writeEscaped(_ text: String) {
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"):
                bytes.append(UInt8(ascii: "\\"))
                bytes.append(byte)
            case 0x08: bytes += "\\b".utf8
            case 0x09: bytes += "\\t".utf8
            case 0x0A: bytes += "\\n".utf8
            case 0x0C: bytes += "\\f".utf8
            case 0x0D: bytes += "\\r".utf8
            case 0..<0x20: bytes += "\\u00\(byte < 16 ? "0" : "")\(String(byte, radix: 16))".utf8
            default: bytes.append(byte)
            }
        }
    }
}

/// Returns the members of a dictionary, sorted by the UTF-8 bytes of their keys.
func sortedByUTF8<Value>(_ members: [String: Value]) -> [(key: String, value: Value)] {
    members.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
}
