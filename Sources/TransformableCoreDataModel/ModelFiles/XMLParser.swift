/// Parses the part of XML that Core Data models consist of: elements, attributes, and comments, in UTF-8.
///
/// A document type is an error, so a document cannot declare entities or refer to other files.
struct XMLParser {
    private static let bytesLimit = 4 << 20
    private static let elementsLimit = 200_000
    private static let attributesLimit = 64
    private static let depthLimit = 32

    private let bytes: [UInt8]
    private var position = 0
    private var count = 0
    /// The line of `lineEnd`, up to which line ends were counted.
    private var line = 1
    private var lineEnd = 0

    /// Returns the root element of a document.
    static func parse(_ bytes: [UInt8]) throws(CoreDataError) -> XMLElement {
        guard bytes.count <= bytesLimit else {
            throw CoreDataError(.limitExceeded, "the model is larger than \(bytesLimit) bytes")
        }
        var parser = Self(bytes)
        return try parser.parseDocument()
    }

    private init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    private mutating func parseDocument() throws(CoreDataError) -> XMLElement {
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
        try checkEncoding()
        try skipMisc()
        let root = try parseElement(depth: 1)
        try skipMisc()
        guard position == bytes.count else { throw fault("the file contains data after the end of the model") }
        return root
    }

    /// Verifies that the XML declaration, if there is one, states UTF-8.
    private mutating func checkEncoding() throws(CoreDataError) {
        guard starts(with: "<?xml") else { return }
        let start = position
        try skip(past: "?>")
        let declaration = String(decoding: bytes[start..<position], as: UTF8.self).lowercased()
        guard !declaration.contains("encoding") || declaration.contains("utf-8") else {
            throw CoreDataError(.unsupportedModel, "the XML is not in UTF-8", line: 1, column: 1)
        }
    }

    private mutating func skipMisc() throws(CoreDataError) {
        while true {
            skipSpace()
            if starts(with: "<!--") {
                try skip(past: "-->")
            } else if starts(with: "<?") {
                try skip(past: "?>")
            } else if starts(with: "<!DOCTYPE") {
                throw fault("a model cannot have a document type")
            } else {
                return
            }
        }
    }

    private mutating func parseElement(depth: Int) throws(CoreDataError) -> XMLElement {
        let start = position
        guard take("<") else { throw fault("expected an element") }
        guard depth <= Self.depthLimit else {
            throw exceeded("elements are nested more than \(Self.depthLimit) levels deep")
        }
        let startLine = countLines()
        count += 1
        guard count <= Self.elementsLimit else { throw exceeded("there are more than \(Self.elementsLimit) elements") }
        let name = try parseName()
        let attributes = try parseAttributes(of: name)
        var element = XMLElement(name: name, attributes: attributes, offset: start, line: startLine)
        if take("/>") { return element }
        guard take(">") else { throw fault("expected “>” at the end of the tag “\(name)”") }
        while true {
            try skipMisc()
            if take("</") { break }
            guard position < bytes.count else { throw fault("“\(name)” is not closed") }
            element.children.append(try parseElement(depth: depth + 1))
        }
        let end = position
        let closing = try parseName()
        skipSpace()
        guard closing == name, take(">") else { throw fault("expected the end of “\(name)”", at: end) }
        return element
    }

    /// Returns the line of the current position.
    ///
    /// Every byte is looked at once, however many elements there are.
    private mutating func countLines() -> Int {
        line += bytes[lineEnd..<position].count { $0 == 0x0A }
        lineEnd = position
        return line
    }

    private mutating func parseAttributes(of element: String) throws(CoreDataError) -> [XMLElement.Attribute] {
        var attributes: [XMLElement.Attribute] = []
        while true {
            let isSeparated = skipSpace()
            guard position < bytes.count, Self.isNameByte(bytes[position]) else { return attributes }
            let start = position
            let name = try parseName()
            guard isSeparated else { throw fault("expected a space before “\(name)”", at: start) }
            guard !attributes.contains(where: { $0.name == name }) else {
                throw fault("“\(element)” has “\(name)” twice", at: start)
            }
            guard attributes.count < Self.attributesLimit else {
                throw exceeded("“\(element)” has more than \(Self.attributesLimit) attributes")
            }
            skipSpace()
            guard take("=") else { throw fault("expected “=” after “\(name)”") }
            skipSpace()
            attributes.append(XMLElement.Attribute(name: name, value: try parseValue()))
        }
    }

    private mutating func parseValue() throws(CoreDataError) -> String {
        let start = position
        guard position < bytes.count, case let quote = bytes[position], quote == 0x22 || quote == 0x27 else {
            throw fault("expected a value in quotation marks")
        }
        position += 1
        var value: [UInt8] = []
        while position < bytes.count, bytes[position] != quote {
            switch bytes[position] {
            case UInt8(ascii: "&"): value.append(contentsOf: try parseReference().utf8)
            case UInt8(ascii: "<"): throw fault("a value cannot contain “<”")
            // XML turns each of these into a space, unless it is written as a reference.
            case 0x09, 0x0A, 0x0D:
                value.append(0x20)
                position += 1
            default:
                value.append(bytes[position])
                position += 1
            }
        }
        guard position < bytes.count else { throw fault("the value is not closed", at: start) }
        position += 1
        guard let text = String(validating: value, as: UTF8.self), !value.contains(0) else {
            throw fault("the value is not valid UTF-8", at: start)
        }
        return text
    }

    private mutating func parseReference() throws(CoreDataError) -> String {
        let start = position
        let part = bytes[position...].prefix(12)
        guard let end = part.firstIndex(of: UInt8(ascii: ";")) else { throw fault("expected “;” after “&”") }
        let name = String(decoding: part[(start + 1)..<end], as: UTF8.self)
        position = end + 1
        switch name {
        case "amp": return "&"
        case "lt": return "<"
        case "gt": return ">"
        case "quot": return "\""
        case "apos": return "'"
        default: break
        }
        let number =
            name.hasPrefix("#x")
            ? UInt32(name.dropFirst(2), radix: 16) : name.hasPrefix("#") ? UInt32(name.dropFirst()) : nil
        // Numbers read from text may have a sign, which XML does not allow.
        let isSigned = name.contains { $0 == "+" || $0 == "-" }
        guard !isSigned, let scalar = number.flatMap(Unicode.Scalar.init), scalar != "\0" else {
            throw fault("“&\(name);” is not a character", at: start)
        }
        return String(scalar)
    }

    private mutating func parseName() throws(CoreDataError) -> String {
        let start = position
        while position < bytes.count, Self.isNameByte(bytes[position]), position - start < 256 { position += 1 }
        guard position > start else { throw fault("expected a name") }
        return String(decoding: bytes[start..<position], as: UTF8.self)
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x3A, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F: true
        default: false
        }
    }
}

extension XMLParser {
    @discardableResult
    private mutating func skipSpace() -> Bool {
        let start = position
        while position < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[position]) { position += 1 }
        return position > start
    }

    private func starts(with text: StaticString) -> Bool {
        text.withUTF8Buffer { unsafe bytes[position...].starts(with: $0) }
    }

    private mutating func take(_ text: StaticString) -> Bool {
        guard starts(with: text) else { return false }
        position += text.utf8CodeUnitCount
        return true
    }

    private mutating func skip(past text: StaticString) throws(CoreDataError) {
        let start = position
        while position < bytes.count {
            if take(text) { return }
            position += 1
        }
        throw fault("“\(text)” is missing", at: start)
    }

    private func fault(_ message: String, at offset: Int? = nil) -> CoreDataError {
        error(.invalidModel, message, at: offset ?? position)
    }

    private func exceeded(_ message: String) -> CoreDataError {
        error(.limitExceeded, message, at: position)
    }

    private func error(_ code: CoreDataError.Code, _ message: String, at offset: Int) -> CoreDataError {
        let place = XMLPlace(of: offset, in: bytes)
        return CoreDataError(code, message, line: place.line, column: place.column)
    }
}

/// A position in text, for messages.
struct XMLPlace {
    let line: Int
    /// The column in bytes, counted from 1.
    let column: Int

    init(of offset: Int, in bytes: [UInt8]) {
        let before = bytes.prefix(offset)
        line = 1 + before.count { $0 == 0x0A }
        column = offset - (before.lastIndex(of: 0x0A) ?? -1)
    }
}

/// An element of an XML document, with its position for messages.
struct XMLElement {
    /// An attribute of an element.
    struct Attribute {
        let name: String
        let value: String
    }

    let name: String
    let attributes: [Attribute]
    var children: [XMLElement] = []
    /// The offset of the element's first byte.
    let offset: Int
    /// The line of the element's first byte, counted from 1.
    let line: Int

    subscript(name: String) -> String? {
        attributes.first { $0.name == name }?.value
    }
}
