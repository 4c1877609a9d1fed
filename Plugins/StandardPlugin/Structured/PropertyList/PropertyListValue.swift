public import Foundation
public import Transformable

/// A property list value.
public enum PropertyListValue: Sendable, Hashable {
    /// A Boolean.
    case bool(Bool)
    /// An integer.
    case integer(Int64)
    /// An integer that fits only in an unsigned 64-bit integer.
    case unsignedInteger(UInt64)
    /// A number with a fraction, NaN, or infinity.
    case real(Double)
    /// Text.
    case string(String)
    /// Data.
    case data(Data)
    /// A date.
    case date(Date)
    /// A reference to an object in a keyed archive.
    case uid(UInt32)
    /// An array of values.
    case array([PropertyListValue])
    /// Values by key.
    case dictionary([String: PropertyListValue])
}

extension PropertyListValue: Codable {
    /// Decodes a value of any type.
    ///
    /// Types that only property lists have are distinguished only by this plugin's coder.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let value = try? container.decode(Bool.self) {
            self = .bool(value)
        } else if let value = try? container.decode(Int64.self) {
            self = .integer(value)
        } else if let value = try? container.decode(UInt64.self) {
            self = .unsignedInteger(value)
        } else if let value = try? container.decode(Double.self) {
            self = .real(value)
        } else if let value = try? container.decode(String.self) {
            self = .string(value)
        } else if let value = try? container.decode([PropertyListValue].self) {
            self = .array(value)
        } else {
            self = .dictionary(try container.decode([String: PropertyListValue].self))
        }
    }

    /// Encodes the value.
    ///
    /// A reference is encoded as the dictionary that represents it in XML property lists.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .bool(let value): try container.encode(value)
        case .integer(let value): try container.encode(value)
        case .unsignedInteger(let value): try container.encode(value)
        case .real(let value): try container.encode(value)
        case .string(let value): try container.encode(value)
        case .data(let value): try container.encode(value)
        case .date(let value): try container.encode(value)
        case .uid(let value): try container.encode([Self.uidKey: value])
        case .array(let value): try container.encode(value)
        case .dictionary(let value): try container.encode(value)
        }
    }

    /// The key of the dictionary that represents a reference in formats without a type for it.
    private static let uidKey = "CF$UID"
}

extension PropertyListValue: DecodedTree {
    /// What Foundation writes for nil, which property lists do not support.
    static var nilValue: Self { .string("$null") }

    var isNil: Bool { self == .nilValue }

    var boolValue: Bool? {
        guard case .bool(let value) = self else { return nil }
        return value
    }

    var stringValue: String? {
        guard case .string(let value) = self else { return nil }
        return value
    }

    var arrayValue: [Self]? {
        guard case .array(let values) = self else { return nil }
        return values
    }

    var keyedValue: [String: Self]? {
        guard case .dictionary(let members) = self else { return nil }
        return members
    }

    var numberValue: TreeNumber? {
        switch self {
        case .integer(let value): .integer(value)
        case .unsignedInteger(let value): .unsigned(value)
        case .real(let value): .double(value)
        default: nil
        }
    }

    func date(_ options: TreeOptions) -> Date? {
        guard case .date(let value) = self else { return nil }
        return value
    }

    func bytes() -> Data? {
        guard case .data(let value) = self else { return nil }
        return value
    }

    var kind: String {
        switch self {
        case .bool: "a Boolean"
        case .integer, .unsignedInteger, .real: "a number"
        case .string: "a string"
        case .data: "data"
        case .date: "a date"
        case .uid: "a reference"
        case .array: "an array"
        case .dictionary: "a dictionary"
        }
    }
}

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
