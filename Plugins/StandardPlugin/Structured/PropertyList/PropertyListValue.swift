public import Foundation

/// Any property list value.
public enum PropertyListValue: Sendable, Hashable {
    /// True or false.
    case bool(Bool)
    /// A whole number.
    case integer(Int64)
    /// A whole number that only 64 bits without a sign hold.
    case unsignedInteger(UInt64)
    /// A number with a fraction; NaN and the infinities too.
    case real(Double)
    /// Text.
    case string(String)
    /// Bytes.
    case data(Data)
    /// A date.
    case date(Date)
    /// A reference to an object of a keyed archive.
    case uid(UInt32)
    /// Values in order.
    case array([PropertyListValue])
    /// Values by key.
    case dictionary([String: PropertyListValue])
}

extension PropertyListValue: Codable {
    /// Decodes whatever the decoder holds; what only property lists have is told apart by our own coder alone.
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

    /// Encodes the value as it is; a reference as the dictionary that XML property lists have for it.
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

    /// The key of the dictionary that stands for a reference where there is no type for it.
    static let uidKey = "CF$UID"
}
