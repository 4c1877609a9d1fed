internal import Foundation
internal import Transformable
internal import TransformableStore

extension AttributeInfo {
    /// How a person gives and sees the values of a transformed attribute; nil for a plain one.
    ///
    /// - Throws: `StoreError` if the transformer cannot be used here, or ``CommandError/Code/usage`` where there
    ///   is no such form.
    var transformedForm: AnyHumanForm? {
        get throws {
            if let failure { throw failure }
            guard let transformer else { return nil }
            guard let form = transformer.form else {
                let type = transformer.valueType
                throw CommandError(.usage, "“\(name)” has values of type \(type), without human form")
            }
            return form
        }
    }

    /// The value of the attribute in its human form.
    ///
    /// - Parameters:
    ///   - object: The object.
    ///   - format: The extension of the file that it goes to.
    /// - Returns: The value.
    /// - Throws: `StoreError` if it cannot be decoded; ``CommandError/Code/noInput`` if there is none.
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

    /// Whether its values are sealed, so that others must not read them.
    var isConfidential: Bool { transformer?.traits.contains(.confidential) == true }

    /// Whether its values lie in the file as bytes.
    var hasBytes: Bool { [.data, .transformed].contains(description.type) }

    /// Whether its values are bytes that a person sees as they are, and that no stage needs whole.
    var givesPieces: Bool {
        guard failure == nil, valueType == Data.self, form?.isText != true else { return false }
        guard let transformer else { return description.type == .data }
        return transformer.streamed.map { $0.head == nil } ?? false
    }
}

extension AttributeInfo {
    /// A part of the attribute's value in its human form, or as it is if that is text or bytes.
    ///
    /// - Parameters:
    ///   - path: The way to the part.
    ///   - object: The object.
    ///   - isRaw: Whether text and bytes are wanted as they are.
    /// - Returns: The part.
    /// - Throws: `StoreError` if the value cannot be decoded; ``CommandError`` if it has no such part.
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

    /// The attribute's value, or a part of it, as JSON; `null` if there is none.
    func json(of path: PartPath?, in object: ManagedObject) throws -> String {
        guard let value = try object.anyValue(name) else { return Cell.null.json }
        let part = try path.map { try $0.part(of: value) } ?? value
        if let form = try transformedForm { return try JSONText.text(of: part, form) }
        if let bytes = part as? Data { return JSONText.bytes(bytes, .base64) }
        return Cell(plain: part).json
    }
}

extension AttributeDescription {
    /// The expression of a transformed attribute; nil for a plain one.
    var expression: String? {
        type == .transformed ? transformer ?? AttributeDescription.defaultTransformer : nil
    }
}

extension Content {
    /// A plain value: bytes and text as they are, anything else as a line of text.
    init(plain value: Any) {
        switch value {
        case let bytes as Data: self.init(bytes: bytes, isLine: false)
        case let text as String: self.init(bytes: Data(text.utf8), isLine: false)
        default: self.init(bytes: Data(Cell(plain: value).tableText.utf8), isLine: true)
        }
    }
}
