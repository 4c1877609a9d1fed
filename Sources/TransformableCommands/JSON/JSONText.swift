internal import Foundation
internal import Transformable

/// Functions that write JSON text.
enum JSONText {
    /// Returns a string literal, including its quotation marks.
    static func string(_ text: String) -> String {
        JSONString.literal(text)
    }

    /// Removes insignificant whitespace from JSON text.
    ///
    /// Numbers and strings stay as they are written.
    ///
    /// - Parameter text: The text.
    /// - Returns: The text on one line, or nil if it is not JSON.
    static func minified(_ text: Data) -> String? {
        guard (try? JSONSerialization.jsonObject(with: text, options: .fragmentsAllowed)) != nil else { return nil }
        var isInString = false
        var isEscaped = false
        let bytes = text.filter { byte in
            if isEscaped {
                isEscaped = false
            } else if byte == UInt8(ascii: "\"") {
                isInString.toggle()
            } else if byte == UInt8(ascii: "\\") {
                isEscaped = true
            }
            return isInString || ![0x20, 0x09, 0x0A, 0x0D].contains(byte)
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension JSONText {
    /// Returns the human-readable form of a value as JSON.
    ///
    /// Structured values, numbers, and Booleans become their JSON counterparts, bytes become an object that contains
    /// them as base64, and all other values become strings. So do numbers and Booleans that their transformer writes in
    /// another form.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - form: The human-readable form of the value's type.
    /// - Returns: The JSON, on one line.
    /// - Throws: Any error thrown by the form.
    static func text(of value: Any, _ form: AnyHumanForm) throws -> String {
        let bytes = try form.print(value, nil)
        guard form.isText else { return Self.bytes(bytes, .base64) }
        // The form of a structured value is JSON already, where JSON can represent it.
        if value is any PartedValue, let json = minified(bytes) { return json }
        return Cell(text: bytes, of: value).json
    }

    /// Returns bytes as an object whose only member names their notation.
    static func bytes(_ bytes: Data, _ notation: EncodedNotation) -> String {
        "{\(string(notation.rawValue)): \(string(String(decoding: notation.text(of: bytes), as: UTF8.self)))}"
    }
}

extension ValueCodec {
    /// Returns an encoded form as JSON.
    ///
    /// - Parameters:
    ///   - encoded: The encoded form.
    ///   - notation: The notation of bytes.
    /// - Returns: The JSON, on one line.
    /// - Throws: Any error thrown while the encoded form is written.
    func json(ofEncoded encoded: Any, _ notation: EncodedNotation?) throws -> String {
        guard encoded is Data || notation != nil else { return Cell(plain: encoded).json }
        return JSONText.bytes(try content(ofEncoded: encoded, nil).bytes, notation ?? .base64)
    }

    /// Returns a value, or a part of one, as JSON.
    func json(ofValue value: Any) throws -> String {
        try onPlainSide { try JSONText.text(of: value, valueForm) }
    }
}

/// The JSON output of the commands: an object that includes the version of its layout.
///
/// The article “JSON output” describes the layouts. Members may be added at any time; the version is raised when a
/// member is changed or removed.
enum JSONDocument {
    /// The version of all layouts.
    static let version = 1

    /// Returns an object on one line, given its members as JSON.
    static func text(_ members: [(name: String, json: String)]) -> String {
        "{\(list(members))}"
    }

    /// Returns the line before the elements of a list, each of which is written on its own line.
    static func opening(_ members: [(name: String, json: String)], list name: String) -> String {
        "{\(list(members)), \(JSONText.string(name)): ["
    }

    /// The line after the elements of a list.
    static let closing = "]}"

    private static func list(_ members: [(name: String, json: String)]) -> String {
        ([(name: "version", json: "\(version)")] + members)
            .map { "\(JSONText.string($0.name)): \($0.json)" }
            .joined(separator: ", ")
    }
}

/// A value encoded as a document: its members and the version.
struct VersionedJSON<Content: Encodable>: Encodable {
    private enum Key: CodingKey {
        case version
    }

    let content: Content

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(JSONDocument.version, forKey: .version)
        try content.encode(to: encoder)
    }
}
