public import Foundation
public import Transformable

extension PropertyListValue: PartedValue {
    /// Whether the value is an array or a dictionary.
    public var hasParts: Bool {
        switch self {
        case .array, .dictionary: true
        default: false
        }
    }

    /// Returns a member by its key, or an element by its index.
    public func part(named name: String) -> Self? {
        switch self {
        case .array(let elements): Self.element(named: name, of: elements)
        case .dictionary(let members): members[name]
        default: nil
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
}
