internal import Foundation

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
