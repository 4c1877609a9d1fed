internal import Foundation

/// A tree of plain values that `Codable` types are encoded to and decoded from.
protocol CodingTree: Sendable {
    /// What the format is called in messages.
    static var formatName: String { get }
    /// What stands for nil.
    static var nilValue: Self { get }

    // Enumeration cases serve as these.
    static func bool(_ value: Bool) -> Self
    static func integer(_ value: Int64) -> Self
    static func unsignedInteger(_ value: UInt64) -> Self
    static func string(_ value: String) -> Self
    static func array(_ values: [Self]) -> Self

    static func keyed(_ members: [String: Self]) -> Self
    /// Nil if the format has no such number.
    static func number(_ value: Double) -> Self?
    static func number(_ value: Float) -> Self?
    static func date(_ value: Date, _ options: TreeOptions) throws -> Self
    static func bytes(_ value: Data) throws -> Self

    var isNil: Bool { get }
    var boolValue: Bool? { get }
    var stringValue: String? { get }
    var arrayValue: [Self]? { get }
    var keyedValue: [String: Self]? { get }
    var numberValue: TreeNumber? { get }
    func date(_ options: TreeOptions) throws -> Date?
    func bytes() throws -> Data?

    /// What the value is, as a message says it: “a string”.
    var kind: String { get }
    /// Bytes by which elements of a set are put in order.
    func sortingBytes() throws -> [UInt8]
}

/// A number as a tree holds it.
enum TreeNumber {
    case integer(Int64)
    case unsigned(UInt64)
    case double(Double)
    /// A number with more digits than the others hold, as it is written.
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

/// What an expression says about coding.
struct TreeOptions: Sendable {
    var dates: JSONDates = .iso8601
}

/// A place in a collection, or `super`.
struct TreeKey: CodingKey {
    let intValue: Int?
    private let name: String

    // Made from the index only when asked for: a key is made for every element.
    var stringValue: String { intValue.map { "[\($0)]" } ?? name }

    init(index: Int) {
        name = ""
        intValue = index
    }

    init(stringValue: String) {
        name = stringValue
        intValue = nil
    }

    init?(intValue: Int) {
        self.init(index: intValue)
    }

    static let parent = Self(stringValue: "super")
}

/// A path as a person writes it: `orders[3].name`; empty at the top.
func describe(_ path: [any CodingKey]) -> String {
    path.reduce(into: "") { text, key in
        if let index = key.intValue {
            text += "[\(index)]"
        } else {
            text += (text.isEmpty ? "" : ".") + key.stringValue
        }
    }
}
