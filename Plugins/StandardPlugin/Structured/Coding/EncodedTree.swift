internal import Foundation

/// A tree of plain values that `Codable` types are encoded to.
protocol EncodedTree: Sendable {
    /// The type of a format's own values, which are encoded as they are.
    associatedtype Value
    /// The name of the format in messages.
    static var formatName: String { get }
    /// The representation of nil.
    static var nilValue: Self { get }

    // Enumeration cases can satisfy these requirements.
    static func bool(_ value: Bool) -> Self
    static func integer(_ value: Int64) -> Self
    static func unsignedInteger(_ value: UInt64) -> Self
    static func string(_ value: String) -> Self
    static func array(_ values: [Self]) -> Self

    static func value(_ value: Value) -> Self
    /// Returns an object. If a name occurs several times, its last member counts.
    static func keyed(_ members: [(name: String, value: Self)]) -> Self
    /// Returns a number, or nil if the format cannot represent it.
    static func number(_ value: Double) -> Self?
    static func number(_ value: Float) -> Self?
    static func date(_ value: Date, _ options: TreeOptions) throws -> Self
    static func bytes(_ value: Data) throws -> Self

    /// Returns bytes that determine the order of the elements of a set.
    func sortingBytes() throws -> [UInt8]
}

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

/// What all encoders of one tree share.
final class TreeSession {
    let options: TreeOptions
    private var orders: [ObjectIdentifier: TreeOrder] = [:]

    init(_ options: TreeOptions) {
        self.options = options
    }

    /// Returns the order of the elements of a collection.
    ///
    /// A cast to a protocol takes longer than the rest of the work.
    func order<Value>(of value: Value) -> TreeOrder {
        let type = ObjectIdentifier(Value.self)
        if let order = orders[type] { return order }
        let order = TreeOrder(of: value)
        orders[type] = order
        return order
    }
}

/// An index in a collection, or `super`.
struct TreeKey: CodingKey {
    let intValue: Int?
    private let name: String

    // Created from the index only when needed, because there is a key for every element.
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

/// Returns a coding path in readable form, such as `orders[3].name`, or an empty string at the top level.
func describe(_ path: [any CodingKey]) -> String {
    path.reduce(into: "") { text, key in
        if let index = key.intValue {
            text += "[\(index)]"
        } else {
            text += (text.isEmpty ? "" : ".") + key.stringValue
        }
    }
}
