internal import Foundation
internal import Transformable

/// Reads XML property lists: the elements of Apple's definition, UTF-8, no entities of one's own.
struct XMLPropertyListReader {
    private var scanner: XMLScanner

    init(_ bytes: [UInt8]) {
        scanner = XMLScanner(bytes)
    }

    /// Whether XML 1.0 has the character.
    static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x09, 0x0A, 0x0D: true
        case 0..<0x20, 0xFFFE, 0xFFFF: false
        default: true
        }
    }

    mutating func readDocument() throws(TransformerError) -> PropertyListValue {
        try scanner.skipProlog()
        var tag = try scanner.takeTag()
        guard tag.name == "plist", tag.kind == .start else {
            throw scanner.failure("expected <plist>", at: tag.offset)
        }
        tag = try scanner.takeTag()
        let value = try readValue(tag, depth: 0)
        try expectEnd(of: "plist")
        try scanner.skipMisc()
        guard scanner.isAtEnd else { throw scanner.failure("expected the end of the property list") }
        return value
    }

    private mutating func expectEnd(of name: String) throws(TransformerError) {
        let tag = try scanner.takeTag()
        guard tag.kind == .end, tag.name == name else { throw scanner.failure("expected </\(name)>", at: tag.offset) }
    }

    private mutating func readValue(_ tag: XMLScanner.Tag, depth: Int) throws(TransformerError) -> PropertyListValue {
        guard depth <= StructureLimit.depth else {
            throw .limitExceeded("a property list nests at most \(StructureLimit.depth) deep", offset: tag.offset)
        }
        guard tag.kind != .end else { throw scanner.failure("expected a value", at: tag.offset) }
        switch tag.name {
        case "array": return .array(try readArray(tag, depth: depth))
        case "dict":
            let members = try readDictionary(tag, depth: depth)
            return PropertyListValue.uid(in: members).map { .uid($0) } ?? .dictionary(members)
        case "true", "false":
            let text = try readText(tag)
            guard text.isEmpty else { throw scanner.failure("<\(tag.name)> is empty", at: tag.offset) }
            return .bool(tag.name == "true")
        case "string": return .string(try readText(tag))
        case "integer", "real", "date", "data": return try readScalar(tag)
        default: throw scanner.failure("a property list has no <\(tag.name)> here", at: tag.offset)
        }
    }

    private mutating func readArray(
        _ start: XMLScanner.Tag,
        depth: Int
    ) throws(TransformerError) -> [PropertyListValue] {
        var values: [PropertyListValue] = []
        guard start.kind == .start else { return values }
        while true {
            let tag = try scanner.takeTag()
            if tag.kind == .end, tag.name == start.name { return values }
            values.append(try readValue(tag, depth: depth + 1))
        }
    }

    private mutating func readDictionary(
        _ start: XMLScanner.Tag,
        depth: Int
    ) throws(TransformerError) -> [String: PropertyListValue] {
        var members: [String: PropertyListValue] = [:]
        guard start.kind == .start else { return members }
        while true {
            let tag = try scanner.takeTag()
            if tag.kind == .end, tag.name == start.name { return members }
            guard tag.name == "key", tag.kind != .end else { throw scanner.failure("expected <key>", at: tag.offset) }
            let key = try readText(tag)
            let valueTag = try scanner.takeTag()
            guard members.updateValue(try readValue(valueTag, depth: depth + 1), forKey: key) == nil else {
                throw scanner.failure("the dictionary has this key twice", at: tag.offset)
            }
        }
    }

    /// The text up to the end of an element that has no elements inside.
    private mutating func readText(_ tag: XMLScanner.Tag) throws(TransformerError) -> String {
        guard tag.kind == .start else { return "" }
        let text = try scanner.takeText()
        try expectEnd(of: tag.name)
        return text
    }

    private mutating func readScalar(_ tag: XMLScanner.Tag) throws(TransformerError) -> PropertyListValue {
        let text = try readText(tag)
        let trimmed = text.trimmingCharacters(in: .whitespacesAndNewlines)
        do throws(TransformerError) {
            switch tag.name {
            case "integer":
                if let number = Int64(trimmed) { return .integer(number) }
                if let number = UInt64(trimmed) { return .unsignedInteger(number) }
                throw TransformerError.invalidData("the integer is none of 64 bits")
            case "real": return .real(try Self.real(trimmed))
            case "date": return .date(try ISO8601Transformer().decode(trimmed, in: .none))
            default: return .data(try Base64Transformer().decode(text.filter { !$0.isWhitespace }, in: .none))
            }
        } catch {
            throw scanner.failure("in <\(tag.name)>: \(error.message)", at: tag.offset)
        }
    }

    private static func real(_ text: String) throws(TransformerError) -> Double {
        switch text.lowercased() {
        case "nan": .nan
        case "infinity", "+infinity", "inf", "+inf": .infinity
        case "-infinity", "-inf": -.infinity
        default: try DoubleTextTransformer().decode(text, in: .none)
        }
    }
}
