internal import Foundation
internal import Transformable

/// Writes XML property lists as Apple's frameworks do.
struct XMLPropertyListWriter {
    private var text = ""

    private static let head = """
        <?xml version="1.0" encoding="UTF-8"?>
        <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
        <plist version="1.0">

        """

    mutating func write(_ value: PropertyListValue) throws(TransformerError) -> Data {
        text = Self.head
        try write(value, depth: 0)
        text += "</plist>\n"
        return Data(text.utf8)
    }

    private mutating func write(_ value: PropertyListValue, depth: Int) throws(TransformerError) {
        guard depth <= StructureLimit.depth else {
            throw .limitExceeded("a property list nests at most \(StructureLimit.depth) deep")
        }
        switch value {
        case .bool(let flag): writeLine(flag ? "<true/>" : "<false/>", depth)
        case .integer(let number): writeLine("<integer>\(number)</integer>", depth)
        case .unsignedInteger(let number): writeLine("<integer>\(number)</integer>", depth)
        case .real(let number): writeLine("<real>\(Self.real(number))</real>", depth)
        case .string(let string): writeLine("<string>\(try Self.escape(string))</string>", depth)
        case .data(let data): writeLine("<data>\(Base64Transformer().encode(data, in: .none))</data>", depth)
        case .date(let date): writeLine("<date>\(try Self.date(date))</date>", depth)
        case .uid(let number):
            writeLine("<dict>", depth)
            writeLine("<key>\(PropertyListValue.uidKey)</key>", depth + 1)
            writeLine("<integer>\(number)</integer>", depth + 1)
            writeLine("</dict>", depth)
        case .array(let values): try write(values, depth)
        case .dictionary(let members): try write(members, depth)
        }
    }

    private mutating func write(_ values: [PropertyListValue], _ depth: Int) throws(TransformerError) {
        guard !values.isEmpty else { return writeLine("<array/>", depth) }
        writeLine("<array>", depth)
        for value in values {
            try write(value, depth: depth + 1)
        }
        writeLine("</array>", depth)
    }

    private mutating func write(_ members: [String: PropertyListValue], _ depth: Int) throws(TransformerError) {
        guard !members.isEmpty else { return writeLine("<dict/>", depth) }
        if members.count == 1, PropertyListValue.uid(in: members) != nil {
            throw .invalidValue("XML reads a dictionary of CF$UID alone as a reference; write the binary format")
        }
        writeLine("<dict>", depth)
        for member in sortedByUTF8(members) {
            writeLine("<key>\(try Self.escape(member.key))</key>", depth + 1)
            try write(member.value, depth: depth + 1)
        }
        writeLine("</dict>", depth)
    }

    private mutating func writeLine(_ line: String, _ depth: Int) {
        text += String(repeating: "\t", count: depth) + line + "\n"
    }

    private static func real(_ number: Double) -> String {
        if number.isNaN { return "nan" }
        if number.isInfinite { return number > 0 ? "+infinity" : "-infinity" }
        return number.description
    }

    private static func date(_ date: Date) throws(TransformerError) -> String {
        let whole = Date(timeIntervalSinceReferenceDate: date.timeIntervalSinceReferenceDate.rounded(.down))
        return try ISO8601Transformer().encode(whole, in: .none)
    }

    /// Escapes markup, and the carriage return, which XML reads as a line feed.
    private static func escape(_ string: String) throws(TransformerError) -> String {
        var result = ""
        for scalar in string.unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\r": result += "&#13;"
            default:
                guard XMLPropertyListReader.isAllowed(scalar) else {
                    let code = String(scalar.value, radix: 16, uppercase: true)
                    throw .invalidValue("XML has no character U+\(code); the binary format has")
                }
                result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}

extension PropertyListValue {
    /// The reference that a dictionary of XML stands for.
    static func uid(in members: [String: Self]) -> UInt32? {
        guard members.count == 1, case .integer(let number) = members[uidKey] else { return nil }
        return UInt32(exactly: number)
    }
}
