internal import Foundation
internal import Transformable

extension JSONText {
    /// Writes a value in its human form as JSON: structures, numbers and truth values as such, bytes as an object that has
    /// them in base64, and anything else as a string.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - form: How a person sees it.
    /// - Returns: The JSON, on one line.
    /// - Throws: What the form throws.
    static func text(of value: Any, _ form: AnyHumanForm) throws -> String {
        let bytes = try form.print(value, nil)
        guard form.isText else { return Self.bytes(bytes, .base64) }
        // What has parts is written as JSON already where it can be.
        if value is any PartedValue, let json = minified(bytes) { return json }
        return Cell(text: bytes, of: value).json
    }

    /// Writes bytes as an object with one member, which says how they are written.
    static func bytes(_ bytes: Data, _ notation: EncodedNotation) -> String {
        "{\(string(notation.rawValue)): \(string(String(decoding: notation.text(of: bytes), as: UTF8.self)))}"
    }
}

extension ValueCodec {
    /// Writes an encoded form as JSON.
    ///
    /// - Parameters:
    ///   - encoded: The encoded form.
    ///   - notation: How bytes are wanted.
    /// - Returns: The JSON, on one line.
    /// - Throws: What the encoded form's notation throws.
    func json(ofEncoded encoded: Any, _ notation: EncodedNotation?) throws -> String {
        guard encoded is Data || notation != nil else { return Cell(plain: encoded).json }
        return JSONText.bytes(try content(ofEncoded: encoded, nil).bytes, notation ?? .base64)
    }

    /// Writes a value, or a part of one, as JSON.
    func json(ofValue value: Any) throws -> String {
        try onPlainSide { try JSONText.text(of: value, valueForm) }
    }
}
