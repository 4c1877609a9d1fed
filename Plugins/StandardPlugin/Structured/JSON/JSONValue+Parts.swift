public import Foundation
public import Transformable

extension JSONValue: PartedValue {
    /// Whether the value is an array or an object.
    public var hasParts: Bool {
        switch self {
        case .array, .object: true
        default: false
        }
    }

    /// Returns a member by its name, or an element by its index.
    public func part(named name: String) -> Self? {
        switch self {
        case .array(let elements): Self.element(named: name, of: elements)
        case .object(let members): members[name]
        default: nil
        }
    }

    /// The UTF-8 bytes of a string.
    public var rawBytes: Data? {
        if case .string(let text) = self { Data(text.utf8) } else { nil }
    }
}
