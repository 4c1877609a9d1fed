public import Foundation
public import Transformable

extension ArchivedValue: PartedValue {
    /// Whether the value is a collection, or an object with fields.
    public var hasParts: Bool {
        switch self {
        case .array, .orderedSet, .set, .dictionary, .object: true
        default: false
        }
    }

    /// Returns a member by its key, a field by its name, or an element by its index.
    ///
    /// A dictionary's key that is not a string is named by its JSON. An integer is named by its digits.
    public func part(named name: String) -> Self? {
        switch self {
        case .array(let values), .orderedSet(let values): Self.element(named: name, of: values)
        case .set(let values): Self.element(named: name, of: Array(values))
        case .dictionary(let pairs): pairs[.string(name)] ?? parts.first { $0.name.isIdentical(to: name) }?.value
        default: parts.first { $0.name.isIdentical(to: name) }?.value
        }
    }

    /// The UTF-8 bytes of a string, or the bytes of data.
    public var rawBytes: Data? {
        switch self {
        case .string(let text): Data(text.utf8)
        case .data(let bytes): bytes
        default: nil
        }
    }

    /// The nested values, and the names of the parts.
    var parts: [(name: String, value: ArchivedValue)] {
        switch self {
        case .array(let values), .orderedSet(let values): Self.numbered(values)
        case .set(let values): Self.numbered(values)
        case .dictionary(let pairs): pairs.map { ($0.key.partName, $0.value) }
        case .object(let instance): instance.fields.map { ($0.name, Self.value(of: $0.value)) }
        default: Self.numbered(nested?.values ?? [])
        }
    }

    private static func numbered(_ values: some Sequence<ArchivedValue>) -> [(name: String, value: ArchivedValue)] {
        values.enumerated().map { (String($0), $1) }
    }

    /// Returns the value of a field.
    ///
    /// A list becomes an array.
    private static func value(of field: ArchivedInstance.FieldValue) -> ArchivedValue {
        switch field {
        case .object(let value): value ?? .null
        case .inline(let value): value
        case .objects(let values): .array(ArchivedArray(values.map { $0 ?? .null }))
        }
    }

    private var partName: String {
        if case .string(let text) = self { return text }
        // The final newline is not part of the name.
        return String(json.dropLast())
    }
}
