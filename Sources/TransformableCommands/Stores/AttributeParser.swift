internal import Foundation
internal import Transformable
internal import TransformableStore

/// Reads values of one attribute as a person gives them; what is the same for all values is found once.
struct AttributeParser: Sendable {
    let name: String
    private let info: AttributeInfo
    private let form: AnyHumanForm?

    /// Finds the attribute's form.
    ///
    /// - Parameter info: The attribute, or the reference of a relationship to one.
    /// - Throws: `StoreError` if the attribute cannot be written here; ``CommandError/Code/usage`` if its values
    ///   have no human form.
    init(_ info: AttributeInfo) throws {
        name = info.name
        self.info = info
        form = try info.transformedForm
    }

    /// Reads a value.
    ///
    /// - Parameter bytes: The value in its human form; a line's end that does not belong there is ignored.
    /// - Returns: The value, fit for the attribute.
    /// - Throws: ``CommandError/Code/badInput``.
    func value(_ bytes: Data) throws(CommandError) -> AttributeValue {
        guard let form else {
            return info.description.type == .data ? .any(bytes) : .text(try plainText(bytes))
        }
        do {
            return .any(try form.parse(bytes))
        } catch {
            if let line = bytes.withoutLineEnd, let value = try? form.parse(line) { return .any(value) }
            // What is no value in its human form may be what the transformer itself writes, such as an archive.
            guard info.canDecode(contents: bytes) else { throw refused(error) }
            return .contents(bytes)
        }
    }

    /// Reads the text of a cell, which has bytes as base64 or names a file.
    ///
    /// - Parameters:
    ///   - cell: The text.
    ///   - files: The files that it may name.
    /// - Returns: The value, fit for the attribute.
    /// - Throws: ``CommandError/Code/badInput``, and what reading the file throws.
    func value(cell: String, _ files: ImportFiles) throws(CommandError) -> AttributeValue {
        let isText = form.map(\.isText) ?? (info.description.type != .data)
        switch try files.value(cell, isText: isText) {
        case .contents(let bytes): return try value(bytes)
        case .text(let text) where isText: return try value(Data(text.utf8))
        case .text(let text):
            guard let bytes = Data(base64Encoded: text) else {
                let ways = "base64, or as @path for a file"
                throw CommandError(.badInput, "“\(name)”: its values are bytes, which stand in a row as \(ways)")
            }
            return try value(bytes)
        }
    }

    private func plainText(_ bytes: Data) throws(CommandError) -> String {
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw CommandError(.badInput, "the value of “\(name)” is not UTF-8")
        }
        if let destination = info.destination, Int64(text) == nil {
            throw CommandError(.badInput, "“\(name)” leads to a \(destination), so it takes the number of one")
        }
        return text
    }

    private func refused(_ error: any Error) -> CommandError {
        let isShown = (error as? TransformerError)?.isSafeToShow == true
        let isConfidential = info.transformer?.traits.contains(.confidential) == true && !isShown
        let reason = isConfidential ? "" : ": \(ErrorLine.sentence(for: error))"
        return CommandError(.badInput, "“\(name)”: the value is not of the form that is expected\(reason)")
    }
}

/// A value on its way into a store.
enum AttributeValue {
    /// A value of the attribute's own type.
    case any(Any)
    /// A text that the store reads as the attribute's kind.
    case text(String)
    /// What the attribute's transformer itself writes, to be stored as it is.
    case contents(Data)
    /// The objects that a relationship is to lead to.
    case references(ReferenceChange)
    /// No value.
    case none

    /// Sets an attribute of an object.
    ///
    /// - Parameters:
    ///   - name: The attribute's name.
    ///   - object: The object.
    ///   - replacesDamaged: Whether bytes that cannot be decoded may be lost.
    /// - Throws: `StoreError`.
    func set(_ name: String, of object: ManagedObject, replacesDamaged: Bool = false) throws {
        if replacesDamaged, try object.failure(of: name) != nil { try object.replaceValue(any: nil, for: name) }
        switch self {
        case .any(let value): try object.setValue(any: value, for: name)
        case .text(let text): try object.setValue(text: text, for: name)
        case .contents(let bytes): try object.setContents(bytes, for: name)
        case .references(let change): try change.apply(to: name, of: object)
        case .none: try object.removeValue(for: name)
        }
    }
}
