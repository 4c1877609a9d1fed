internal import Transformable

/// Scans the markup of an XML property list.
struct XMLScanner {
    /// The start tag or the end tag of an element.
    struct Tag {
        var name: Range<Int>
        var isClosing: Bool
        /// Whether the element has no content, as in `<true/>`.
        var isEmpty: Bool
    }

    let bytes: [UInt8]
    private(set) var position: Int

    init(_ bytes: [UInt8], from position: Int) {
        self.bytes = bytes
        self.position = position
    }

    var isAtEnd: Bool { position >= bytes.count }

    func starts(with text: StaticString) -> Bool {
        starts(with: text, at: position)
    }

    private func starts(with text: StaticString, at offset: Int) -> Bool {
        let count = text.utf8CodeUnitCount
        guard count <= bytes.count - offset else { return false }
        return text.withUTF8Buffer { $0.elementsEqual(bytes[offset..<offset + count]) }
    }

    static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || 0x09...0x0D ~= byte
    }

    /// Verifies that the XML declaration does not specify an encoding other than UTF-8.
    static func checkEncoding(of bytes: [UInt8]) throws(TransformerError) {
        let start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        let scanner = Self(bytes, from: start)
        guard scanner.starts(with: "<?xml"), let end = bytes[start...].prefix(256).firstIndex(of: UInt8(ascii: ">"))
        else { return }
        let declaration = scanner.text(start..<end).lowercased()
        guard !declaration.contains("encoding") || ["utf-8", "ascii"].contains(where: { declaration.contains($0) })
        else {
            throw TransformerError(.unsupported, "the property list is not in UTF-8", offset: start)
        }
    }

    /// Skips white space, comments, processing instructions, and the document type.
    mutating func skipMisc() throws(TransformerError) {
        while true {
            while !isAtEnd, Self.isSpace(bytes[position]) {
                position += 1
            }
            if starts(with: "<!--") {
                try skip(past: "-->")
            } else if starts(with: "<?") {
                try skip(past: "?>")
            } else if starts(with: "<!DOCTYPE") {
                try skipDocumentType()
            } else {
                return
            }
        }
    }

    mutating func skip(past text: StaticString) throws(TransformerError) {
        let start = position
        while !isAtEnd {
            if bytes[position] == text.utf8Start[0], starts(with: text) {
                position += text.utf8CodeUnitCount
                return
            }
            position += 1
        }
        throw .invalidData("the XML is truncated: “\(text)” is missing", offset: start)
    }

    /// Skips the document type, which must not declare entities.
    private mutating func skipDocumentType() throws(TransformerError) {
        let start = position
        while !isAtEnd, bytes[position] != UInt8(ascii: ">") {
            guard bytes[position] != UInt8(ascii: "[") else {
                let message = "a property list must not declare entities"
                throw TransformerError(.unsupported, message, offset: position)
            }
            position += 1
        }
        guard !isAtEnd else { throw .invalidData("the XML is truncated: “>” is missing", offset: start) }
        position += 1
    }

    /// Reads the tag at the current position.
    mutating func readTag() throws(TransformerError) -> Tag {
        guard !isAtEnd, bytes[position] == UInt8(ascii: "<") else {
            throw .invalidData("expected a tag in the XML", offset: position)
        }
        let start = position
        position += 1
        let isClosing = !isAtEnd && bytes[position] == UInt8(ascii: "/")
        position += isClosing ? 1 : 0
        let nameStart = position
        while !isAtEnd, isNameByte(bytes[position]) {
            position += 1
        }
        let name = nameStart..<position
        var last: UInt8 = 0
        while !isAtEnd, bytes[position] != UInt8(ascii: ">") {
            last = bytes[position]
            position += 1
            if last == UInt8(ascii: "\"") { try skip(past: "\"") }
            if last == UInt8(ascii: "'") { try skip(past: "'") }
        }
        guard !isAtEnd, !name.isEmpty else { throw .invalidData("a tag of the XML is malformed", offset: start) }
        position += 1
        return Tag(name: name, isClosing: isClosing, isEmpty: last == UInt8(ascii: "/"))
    }

    private func isNameByte(_ byte: UInt8) -> Bool {
        UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte
    }

    /// Reads content up to the next markup.
    mutating func readText() -> Range<Int> {
        let start = position
        while !isAtEnd, bytes[position] != UInt8(ascii: "<") {
            position += 1
        }
        return start..<position
    }

    /// Reads the end tag of an element.
    mutating func readEnd(of name: Range<Int>) throws(TransformerError) {
        let start = position
        let tag = try readTag()
        guard tag.isClosing, bytes[tag.name].elementsEqual(bytes[name]) else {
            throw .invalidData("“\(text(name))” is not closed", offset: start)
        }
    }

    func text(_ range: Range<Int>) -> String {
        String(decoding: bytes[range], as: UTF8.self)
    }
}
