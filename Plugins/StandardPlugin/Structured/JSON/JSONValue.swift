public import Foundation
public import Transformable

/// A JSON value.
///
/// Integers that fit in 64 bits, signed or unsigned, are represented exactly. Other numbers are doubles, if these can
/// represent all of their digits, or else text. Equal values can differ in bytes only in Unicode normalization and in
/// the sign of zero.
public enum JSONValue: Sendable, Hashable {
    /// `null`.
    case null
    /// `true` or `false`.
    case bool(Bool)
    /// A number without a fraction or an exponent.
    case integer(Int64)
    /// A number without a fraction or an exponent that fits only in an unsigned 64-bit integer.
    case unsignedInteger(UInt64)
    /// Any other finite number.
    case double(Double)
    /// A number with more digits than a 64-bit integer or a double can represent, as text: `0.1234567890123456789`.
    case number(String)
    /// Text.
    case string(String)
    /// An array of values.
    case array([JSONValue])
    /// An object: values by name.
    case object([String: JSONValue])
}

extension JSONValue: ExpressibleByNilLiteral {
    /// Creates a null value.
    public init(nilLiteral: ()) { self = .null }
}

extension JSONValue: ExpressibleByBooleanLiteral {
    /// Creates a Boolean.
    public init(booleanLiteral value: Bool) { self = .bool(value) }
}

extension JSONValue: ExpressibleByIntegerLiteral {
    /// Creates an integer.
    public init(integerLiteral value: Int64) { self = .integer(value) }
}

extension JSONValue: ExpressibleByFloatLiteral {
    /// Creates a number.
    public init(floatLiteral value: Double) { self = .double(value) }
}

extension JSONValue: ExpressibleByStringLiteral {
    /// Creates a string.
    public init(stringLiteral value: String) { self = .string(value) }
}

extension JSONValue: ExpressibleByArrayLiteral {
    /// Creates an array.
    public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
}

extension JSONValue: ExpressibleByDictionaryLiteral {
    /// Creates an object.
    ///
    /// - Precondition: No name occurs twice.
    public init(dictionaryLiteral elements: (String, JSONValue)...) {
        self = .object(Dictionary(uniqueKeysWithValues: elements))
    }
}

extension JSONValue: Codable {
    /// Decodes a value of any type.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(Bool.self) {
            self = .bool(value)
        } else if let value = try? container.decode(Int64.self) {
            self = .integer(value)
        } else if let value = try? container.decode(UInt64.self) {
            self = .unsignedInteger(value)
        } else if let value = try? container.decode(Double.self) {
            self = .double(value)
        } else if let value = try? container.decode(String.self) {
            self = .string(value)
        } else if let value = try? container.decode([JSONValue].self) {
            self = .array(value)
        } else {
            self = .object(try container.decode([String: JSONValue].self))
        }
    }

    /// Encodes the value.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .bool(let value): try container.encode(value)
        case .integer(let value): try container.encode(value)
        case .unsignedInteger(let value): try container.encode(value)
        case .double(let value): try container.encode(value)
        case .number(let text): try container.encode(DecimalTransformer().decode(text))
        case .string(let value): try container.encode(value)
        case .array(let value): try container.encode(value)
        case .object(let value): try container.encode(value)
        }
    }
}

extension JSONValue: DecodedTree {
    var isNil: Bool { self == .null }

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
        guard case .object(let members) = self else { return nil }
        return members
    }

    var numberValue: TreeNumber? {
        switch self {
        case .integer(let value): .integer(value)
        case .unsignedInteger(let value): .unsigned(value)
        case .double(let value): .double(value)
        case .number(let text): .text(text)
        default: nil
        }
    }

    func date(_ options: TreeOptions) throws -> Date? {
        switch options.dates {
        case .iso8601: try stringValue.map { try ISO8601Transformer().decode($0) }
        case .unix: try numberValue.map { try UnixTimeTransformer().decode($0.double) }
        case .reference: try numberValue.map { try ReferenceTimeTransformer().decode($0.double) }
        }
    }

    func bytes() throws -> Data? {
        try stringValue.map { try Base64Transformer().decode($0) }
    }

    var kind: String {
        switch self {
        case .null: "null"
        case .bool: "a Boolean"
        case .integer, .unsignedInteger, .double, .number: "a number"
        case .string: "a string"
        case .array: "an array"
        case .object: "an object"
        }
    }
}

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
