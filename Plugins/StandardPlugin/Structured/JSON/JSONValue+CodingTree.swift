internal import Foundation
internal import Transformable

extension JSONValue: CodingTree {
    static var formatName: String { "JSON" }
    static var nilValue: Self { .null }

    static func keyed(_ members: [String: Self]) -> Self { .object(members) }
    static func number(_ value: Double) -> Self? { value.isFinite ? .double(value) : nil }

    /// Returns the double with the same shortest text as the float, which is decoded to the same float.
    static func number(_ value: Float) -> Self? {
        value.isFinite ? .double(Double(value.description) ?? Double(value)) : nil
    }

    static func date(_ value: Date, _ options: TreeOptions) throws -> Self {
        switch options.dates {
        case .iso8601: .string(try ISO8601Transformer().encode(value))
        case .unix: .double(try UnixTimeTransformer().encode(value))
        case .reference: .double(try ReferenceTimeTransformer().encode(value))
        }
    }

    static func bytes(_ value: Data) -> Self {
        .string(Base64Transformer().encode(value, in: .none))
    }

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

    func sortingBytes() throws -> [UInt8] {
        var writer = JSONWriter()
        try writer.write(self)
        return writer.bytes
    }
}
