internal import Foundation
internal import Transformable

extension JSONText {
    /// Returns the human-readable form of a value as JSON.
    ///
    /// Structured values, numbers, and Booleans become their JSON counterparts, bytes become an object that contains
    /// them as base64, and all other values become strings.
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
