public import Foundation

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
    /// A text.
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
    static let uidKey = "CF$UID"
}
