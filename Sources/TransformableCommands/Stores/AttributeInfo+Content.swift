internal import Foundation
internal import Transformable
internal import TransformableStore

extension AttributeInfo {
    /// The human-readable form of a transformed attribute's values, or nil for a plain attribute.
    ///
    /// - Throws: `StoreError` if the transformer cannot be used, or ``CommandError`` with the code
    ///   ``CommandError/Code/usage`` if its values have no human-readable form.
    var transformedForm: AnyHumanForm? {
        get throws {
            if let failure { throw failure }
            guard let transformer else { return nil }
            guard let form = transformer.form else {
                let type = transformer.valueType
                throw CommandError(
                    .usage,
                    "the values of “\(name)” have the type \(type), which has no human-readable form"
                )
            }
            return form
        }
    }

    /// Returns the human-readable form of the attribute's value.
    ///
    /// - Parameters:
    ///   - object: The object.
    ///   - format: The extension of the output file.
    /// - Returns: The value.
    /// - Throws: `StoreError` if the value cannot be decoded, or ``CommandError`` with the code
    ///   ``CommandError/Code/noInput`` if there is no value.
    func content(in object: ManagedObject, format: String?) throws -> Content {
        guard let value = try object.anyValue(name) else {
            throw CommandError(.noInput, "\(object.id) has no value for “\(name)”")
        }
        guard let form = try transformedForm else { return Content(plain: value) }
        let isItself = value is String || value is Data
        let bytes = try form.print(value, forFormat: format)
        let isLine = form.isText && !isItself && bytes.last != UInt8(ascii: "\n")
        return Content(bytes: bytes, isConfidential: isConfidential, isLine: isLine)
    }

    /// Whether the values are sealed, so that other users must not be able to read them.
    var isConfidential: Bool { transformer?.traits.contains(.confidential) == true }

    /// Whether the values are stored as bytes.
    var hasBytes: Bool { [.data, .transformed].contains(description.type) }

    /// Whether the values are shown as the bytes they are, and every stage can process them piece by piece.
    var givesPieces: Bool {
        guard failure == nil, valueType == Data.self, form?.isText != true else { return false }
        guard let transformer else { return description.type == .data }
        return transformer.streamed.map { $0.head == nil } ?? false
    }
}

extension AttributeInfo {
    /// Returns a part of the attribute's value: its human-readable form, or its bytes if it is text or data.
    ///
    /// - Parameters:
    ///   - path: The path of the part.
    ///   - object: The object.
    ///   - isRaw: Whether to return text and data as they are.
    /// - Returns: The part.
    /// - Throws: `StoreError` if the value cannot be decoded, or ``CommandError`` if it has no such part.
    func content(of path: PartPath, in object: ManagedObject, isRaw: Bool) throws -> Content {
        guard let value = try object.anyValue(name) else {
            throw CommandError(.noInput, "\(object.id) has no value for “\(name)”")
        }
        let part = try path.part(of: value)
        if isRaw, let bytes = part.rawBytes { return Content(bytes: bytes, isLine: false) }
        guard let form = try transformedForm else { return Content(plain: part) }
        let bytes = try form.print(part, nil)
        return Content(bytes: bytes, isLine: bytes.last != UInt8(ascii: "\n"))
    }

    /// Returns the attribute's value, or a part of it, as JSON, or `null` if there is no value.
    func json(of path: PartPath?, in object: ManagedObject) throws -> String {
        guard let value = try object.anyValue(name) else { return Cell.null.json }
        let part = try path.map { try $0.part(of: value) } ?? value
        if let form = try transformedForm { return try JSONText.text(of: part, form) }
        if let bytes = part as? Data { return JSONText.bytes(bytes, .base64) }
        return Cell(plain: part).json
    }
}

extension AttributeDescription {
    /// The expression of a transformed attribute, or nil for a plain attribute.
    var expression: String? {
        type == .transformed ? transformer ?? AttributeDescription.defaultTransformer : nil
    }
}

extension Content {
    /// Creates the content for a plain value: data and text as they are, and other values as a line of text.
    init(plain value: Any) {
        switch value {
        case let bytes as Data: self.init(bytes: bytes, isLine: false)
        case let text as String: self.init(bytes: Data(text.utf8), isLine: false)
        default: self.init(bytes: Data(Cell(plain: value).text.utf8), isLine: true)
        }
    }
}
