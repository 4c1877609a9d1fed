internal import Foundation

/// A tree of plain values that `Codable` types are decoded from.
protocol DecodedTree: Sendable {
    var isNil: Bool { get }
    var boolValue: Bool? { get }
    var stringValue: String? { get }
    var arrayValue: [Self]? { get }
    var keyedValue: [String: Self]? { get }
    var numberValue: TreeNumber? { get }
    func date(_ options: TreeOptions) throws -> Date?
    func bytes() throws -> Data?

    /// A description of the value in messages, such as “a string”.
    var kind: String { get }
}

/// A number in a tree.
enum TreeNumber {
    case integer(Int64)
    case unsigned(UInt64)
    case double(Double)
    /// A number with more digits than the other cases can represent, as text.
    case text(String)

    func exactly<Number: FixedWidthInteger>(_ type: Number.Type) -> Number? {
        switch self {
        case .integer(let value): Number(exactly: value)
        case .unsigned(let value): Number(exactly: value)
        case .double(let value): Number(exactly: value)
        case .text(let text): Number(text)
        }
    }

    var double: Double {
        switch self {
        case .integer(let value): Double(value)
        case .unsigned(let value): Double(value)
        case .double(let value): value
        case .text(let text): Double(text) ?? .nan
        }
    }
}

/// The options of an expression that affect coding.
struct TreeOptions: Sendable {
    var dates: JSONDates = .iso8601
}
