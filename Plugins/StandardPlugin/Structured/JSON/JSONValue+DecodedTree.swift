internal import Foundation
internal import Transformable

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
