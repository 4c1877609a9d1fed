internal import Transformable

/// Reads the tokens of XML that property lists are made of.
struct XMLScanner {
    struct Tag {
        enum Kind {
            case start
            case end
            case empty
        }

        var name: String
        var kind: Kind
        var offset: Int
    }

    private let bytes: [UInt8]
    private var position = 0

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    var isAtEnd: Bool { position == bytes.count }

    private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

    func failure(_ message: String, at offset: Int? = nil) -> TransformerError {
        .invalidData(message, offset: offset ?? position)
    }

    private mutating func take(_ text: String) -> Bool {
        guard bytes[position...].starts(with: text.utf8) else { return false }
        position += text.utf8.count
        return true
    }

    private mutating func skipSpaces() {
        while let byte = next, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 {
            position += 1
        }
    }

    /// Passes everything up to and including a text.
    private mutating func skip(past end: String, _ what: String) throws(TransformerError) {
        let start = position
        while !isAtEnd {
            if take(end) { return }
            position += 1
        }
        throw failure("\(what) has no end", at: start)
    }

    /// A byte order mark, the declaration and the document type.
    mutating func skipProlog() throws(TransformerError) {
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
        if take("<?xml") {
            let start = position
            try skip(past: "?>", "the XML declaration")
            let declaration = String(decoding: bytes[start..<position], as: UTF8.self).lowercased()
            guard !declaration.contains("encoding") || declaration.contains("utf-8") else {
                throw TransformerError(.unsupported, "the property list is not in UTF-8", offset: start)
            }
        }
        try skipMisc()
        guard take("<!DOCTYPE") else { return }
        let start = position
        try skip(past: ">", "the document type")
        guard !bytes[start..<position].contains(UInt8(ascii: "[")) else {
            throw TransformerError(.unsupported, "a property list declares no entities of its own", offset: start)
        }
    }

    /// White space, comments and instructions.
    mutating func skipMisc() throws(TransformerError) {
        while true {
            skipSpaces()
            if take("<!--") {
                try skip(past: "-->", "a comment")
            } else if take("<?") {
                try skip(past: "?>", "an instruction")
            } else {
                return
            }
        }
    }

    /// The next tag, with nothing but white space and comments before it; attributes are passed over.
    mutating func takeTag() throws(TransformerError) -> Tag {
        try skipMisc()
        let start = position
        guard take("<") else { throw failure("expected an element") }
        let isEnd = take("/")
        let nameStart = position
        while let byte = next, (0x61...0x7A).contains(byte | 0x20) {
            position += 1
        }
        let name = String(decoding: bytes[nameStart..<position], as: UTF8.self)
        guard !name.isEmpty else { throw failure("expected an element's name") }
        try skipAttributes()
        let isEmpty = take("/")
        guard take(">"), !(isEnd && isEmpty) else { throw failure("expected “>”") }
        return Tag(name: name, kind: isEnd ? .end : isEmpty ? .empty : .start, offset: start)
    }

    private mutating func skipAttributes() throws(TransformerError) {
        while let byte = next, byte != UInt8(ascii: ">"), byte != UInt8(ascii: "/"), byte != UInt8(ascii: "<") {
            position += 1
            if byte == UInt8(ascii: "\"") { try skip(past: "\"", "an attribute") }
            if byte == UInt8(ascii: "'") { try skip(past: "'", "an attribute") }
        }
    }

    /// Text up to the next tag, with entities and CDATA resolved and line ends as line feeds.
    mutating func takeText() throws(TransformerError) -> String {
        let start = position
        var text: [UInt8] = []
        while let byte = next {
            if byte == UInt8(ascii: "<") {
                if take("<![CDATA[") {
                    let first = position
                    try skip(past: "]]>", "a CDATA section")
                    text += bytes[first..<(position - 3)]
                } else if take("<!--") {
                    try skip(past: "-->", "a comment")
                } else {
                    return try checked(text, at: start)
                }
            } else if byte == UInt8(ascii: "&") {
                text += try takeEntity().utf8
            } else {
                position += 1
                if byte == 0x0D {
                    _ = take("\n")
                    text.append(0x0A)
                } else {
                    text.append(byte)
                }
            }
        }
        throw failure("the text has no end", at: start)
    }

    private func checked(_ bytes: [UInt8], at start: Int) throws(TransformerError) -> String {
        guard let text = String(validating: bytes, as: UTF8.self),
            text.unicodeScalars.allSatisfy(XMLPropertyListReader.isAllowed)
        else {
            throw failure("the text has bytes that are not XML's characters in UTF-8", at: start)
        }
        return text
    }

    private mutating func takeEntity() throws(TransformerError) -> String {
        for (entity, text) in [("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&apos;", "'")]
        where take(entity) {
            return text
        }
        let start = position
        guard take("&#") else { throw failure("a property list has no such entity", at: start) }
        let isHexadecimal = take("x")
        let digits = position
        while let byte = next, byte != UInt8(ascii: ";"), position - digits < 8 {
            position += 1
        }
        let number = UInt32(String(decoding: bytes[digits..<position], as: UTF8.self), radix: isHexadecimal ? 16 : 10)
        guard let scalar = number.flatMap(Unicode.Scalar.init), take(";") else {
            throw failure("the reference names no character", at: start)
        }
        return String(Character(scalar))
    }
}
