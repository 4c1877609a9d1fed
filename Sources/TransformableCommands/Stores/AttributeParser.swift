internal import Foundation
internal import Transformable
internal import TransformableStore

/// Parses values of one attribute.
///
/// Whatever is the same for all values is determined once.
struct AttributeParser: Sendable {
    let name: String
    private let info: AttributeInfo
    private let form: AnyHumanForm?

    /// Creates a parser.
    ///
    /// - Parameter info: The attribute, or the reference of a to-one relationship.
    /// - Throws: `StoreError` if the attribute cannot be written, or ``CommandError`` with the code
    ///   ``CommandError/Code/usage`` if its values have no human-readable form.
    init(_ info: AttributeInfo) throws {
        name = info.name
        self.info = info
        form = try info.transformedForm
    }

    /// Parses a value.
    ///
    /// - Parameter bytes: The value in its human-readable form. A final newline that is not part of the value is
    ///   ignored.
    /// - Returns: A value for the attribute.
    /// - Throws: ``CommandError`` with the code ``CommandError/Code/badInput`` if the value is invalid.
    func value(_ bytes: Data) throws(CommandError) -> AttributeValue {
        guard let form else {
            return info.description.type == .data ? .any(bytes) : .text(try plainText(bytes))
        }
        do {
            return .any(try form.parse(bytes))
        } catch {
            if let line = bytes.withoutLineEnd, let value = try? form.parse(line) { return .any(value) }
            // A value that is not in the human-readable form may be what the transformer itself writes, such as an
            // archive.
            guard info.canDecode(contents: bytes) else { throw refused(error) }
            return .contents(bytes)
        }
    }

    /// Parses the text of a cell, which contains bytes as base64 or refers to a file, as `@path` or as an export does.
    ///
    /// - Parameters:
    ///   - cell: The text.
    ///   - files: The files that the cell can refer to.
    /// - Returns: A value for the attribute.
    /// - Throws: ``CommandError`` with the code ``CommandError/Code/badInput`` if the value is invalid, and any error
    ///   thrown while the file is read.
    func value(cell: String, _ files: ImportFiles) throws(CommandError) -> AttributeValue {
        guard !ImportFiles.isUnreadable(cell), !Cell.isFailure(cell) else {
            let remedy = "write the rows again with the right key, or remove the value"
            throw CommandError(.badInput, "the value of “\(name)” could not be read when it was written; \(remedy)")
        }
        guard !isSummary(cell) else {
            let remedy = "import the rows of “store export”, or remove the value"
            throw CommandError(.badInput, "a listing shows only the size of the value of “\(name)”; \(remedy)")
        }
        let isText = form.map(\.isText) ?? (info.description.type != .data)
        switch try files.value(cell, isText: isText) {
        case .contents(let bytes): return try value(bytes)
        case .text(let text) where isText: return try value(Data(text.utf8))
        case .text(let text):
            if let bytes = try files.exported(text) { return try value(bytes) }
            guard let bytes = Base64Text.bytes(of: text.utf8) else {
                let ways = "base64, or as @path to read them from a file"
                throw CommandError(.badInput, "the values of “\(name)” are bytes; write them as \(ways)")
            }
            return try value(bytes)
        }
    }

    /// Returns a Boolean value that indicates whether a cell is what a listing shows in place of a value that is not text.
    ///
    /// An attribute whose values are strings can have any text.
    private func isSummary(_ cell: String) -> Bool {
        guard form != nil || info.description.type == .data, Cell.isSummary(cell) else { return false }
        let value = form.flatMap { try? $0.parse(Data(cell.utf8)) }
        return !(value is String)
    }

    private func plainText(_ bytes: Data) throws(CommandError) -> String {
        let isText = info.description.type == .string
        guard let text = String(validating: isText ? bytes : bytes.withoutLineEnd ?? bytes, as: UTF8.self) else {
            throw CommandError(.badInput, "the value of “\(name)” is not valid UTF-8")
        }
        if let destination = info.destination, Int64(text) == nil {
            throw CommandError(.badInput, "the value of “\(name)” must be the number of a \(destination)")
        }
        return text
    }

    private func refused(_ error: any Error) -> CommandError {
        let isShown = (error as? TransformerError)?.isSafeToShow == true
        let isConfidential = info.transformer?.traits.contains(.confidential) == true && !isShown
        let reason = isConfidential ? "" : ": \(ErrorLine.sentence(for: error))"
        return CommandError(.badInput, "the value of “\(name)” is invalid\(reason)")
    }
}

/// A value to store.
enum AttributeValue {
    /// A value of the attribute's own type.
    case any(Any)
    /// A text that the store parses according to the attribute's type.
    case text(String)
    /// The bytes that the attribute's transformer writes, to be stored as they are.
    case contents(Data)
    /// A change of a relationship's objects.
    case references(ReferenceChange)
    /// No value.
    case none

    /// Sets an attribute of an object.
    ///
    /// - Parameters:
    ///   - name: The attribute's name.
    ///   - object: The object.
    ///   - replacesDamaged: Whether to replace bytes that cannot be decoded, and projections that do not match.
    /// - Throws: `StoreError` if the attribute cannot be set.
    func set(_ name: String, of object: ManagedObject, replacesDamaged: Bool = false) throws {
        if replacesDamaged, try object.failure(of: name) != nil { try object.replaceValue(any: nil, for: name) }
        switch self {
        case .any(let value) where replacesDamaged: try object.replaceValue(any: value, for: name)
        case .any(let value): try object.setValue(any: value, for: name)
        case .text(let text) where replacesDamaged: try object.replaceValue(text: text, for: name)
        case .text(let text): try object.setValue(text: text, for: name)
        case .contents(let bytes): try object.setContents(bytes, for: name)
        case .references(let change): try change.apply(to: name, of: object)
        case .none where replacesDamaged: try object.replaceValue(any: nil, for: name)
        case .none: try object.removeValue(for: name)
        }
    }
}
