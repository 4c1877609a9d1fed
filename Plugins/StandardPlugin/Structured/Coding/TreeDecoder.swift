internal import Foundation
internal import Transformable

/// Decodes a `Codable` value from a tree.
final class TreeDecoder<Tree: DecodedTree>: Decoder {
    let tree: Tree
    private let options: TreeOptions
    private let path: TreePath?
    var codingPath: [any CodingKey] { path?.keys ?? [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    private init(tree: Tree, options: TreeOptions, path: TreePath?) {
        self.tree = tree
        self.options = options
        self.path = path
    }

    /// Decodes a value.
    ///
    /// Every error is a `TransformerError` that includes the coding path.
    static func value<Value: Decodable>(of tree: Tree, _ options: TreeOptions) throws(TransformerError) -> Value {
        do {
            return try Self(tree: tree, options: options, path: nil).decode(Value.self)
        } catch let error as TransformerError {
            throw error
        } catch let error as DecodingError {
            throw .invalidData(sentence(for: error))
        } catch {
            throw .invalidData("the value could not be decoded", underlying: error)
        }
    }

    private static func sentence(for error: DecodingError) -> String {
        let context: DecodingError.Context
        var message: String?
        switch error {
        case .typeMismatch(_, let place), .valueNotFound(_, let place), .dataCorrupted(let place): context = place
        case .keyNotFound(let key, let place):
            context = place
            message = "“\(key.stringValue)” is missing"
        @unknown default: return "the value could not be decoded"
        }
        let path = describe(context.codingPath)
        return (path.isEmpty ? "" : "at \(path): ") + (message ?? context.debugDescription)
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        guard let members = tree.keyedValue else { throw mismatch([String: Tree].self, "names and values") }
        return KeyedDecodingContainer(TreeKeyedDecoding<Tree, Key>(decoder: self, members: members))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        guard let elements = tree.arrayValue else { throw mismatch([Tree].self, "an array") }
        return TreeUnkeyedDecoding(decoder: self, elements: elements)
    }

    func singleValueContainer() -> any SingleValueDecodingContainer {
        TreeSingleDecoding(decoder: self)
    }

    func nested(_ tree: Tree, _ step: TreePath.Step) -> TreeDecoder {
        TreeDecoder(tree: tree, options: options, path: TreePath(path, step))
    }

    func bool() throws -> Bool {
        guard let value = tree.boolValue else { throw mismatch(Bool.self, "a Boolean") }
        return value
    }

    func string() throws -> String {
        guard let value = tree.stringValue, !tree.isNil else { throw mismatch(String.self, "a string") }
        return value
    }

    func double() throws -> Double {
        guard let number = tree.numberValue else { throw mismatch(Double.self, "a number") }
        return number.double
    }

    /// Decodes a float, which is the nearest to the number's text.
    ///
    /// The double that is nearest to the text can lie halfway between two floats, so rounding it again could return the
    /// other one.
    func float() throws -> Float {
        let number = try double()
        let rounded = Float(number)
        let value = Double(rounded) == number ? rounded : Float(tree.numberValue?.text ?? "") ?? rounded
        guard value.isFinite || !number.isFinite else { throw corrupted("the number is out of range for a float") }
        return value
    }

    func integer<Value: FixedWidthInteger>() throws -> Value {
        guard let number = tree.numberValue else { throw mismatch(Value.self, "an integer") }
        guard let value = number.exactly(Value.self) else {
            throw corrupted("the number is not an integer from \(Value.min) to \(Value.max)")
        }
        return value
    }

    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        guard isSpecial(type, in: Tree.self) else { return try type.init(from: self) }
        let value: Any
        switch type {
        case is Tree.Type: value = tree
        case is Date.Type: value = try placed(type, "a date") { try tree.date(options) }
        case is Data.Type: value = try placed(type, "data") { try tree.bytes() }
        case is URL.Type: value = try placed(type, "a URL") { try tree.stringValue.map(url) ?? urlOfParts() }
        case is Decimal.Type: value = try placed(type, "a decimal number as text") { try decimal() }
        default: return try type.init(from: self)
        }
        guard let value = value as? Value else { throw mismatch(type, "\(type)") }
        return value
    }

    private func url(_ text: String) throws -> URL {
        try URLTransformer(allowsRelative: true).decode(text)
    }

    /// Decodes a decimal from its exact text, or from an integer, which is exact as it is.
    private func decimal() throws -> Decimal? {
        switch tree.numberValue {
        case .integer(let value): Decimal(value)
        case .unsigned(let value): Decimal(value)
        case .double(let value): try DecimalTransformer().decode(DoubleTextTransformer().encode(value))
        case .text(let text): try DecimalTransformer().decode(text)
        case .none: try tree.stringValue.map { try DecimalTransformer().decode($0) } ?? decimalOfParts()
        }
    }

    // Foundation's coder of property lists has no form for URLs and decimals, so it writes their parts.

    private func urlOfParts() throws -> URL? {
        try tree.keyedValue == nil ? nil : URL(from: self)
    }

    private func decimalOfParts() throws -> Decimal? {
        guard tree.keyedValue != nil else { return nil }
        let parts = try container(keyedBy: DecimalPart.self)
        let length = try parts.decode(Int.self, forKey: .length)
        let words = try parts.decode([UInt16].self, forKey: .mantissa)
        let isNegative = try parts.decode(Bool.self, forKey: .isNegative)
        // Not a number is negative and has no digits.
        guard 0...min(words.count, 8) ~= length, length > 0 || !isNegative else {
            throw corrupted("its parts are not those of a decimal number")
        }
        let number = words.prefix(length).reversed().reduce(UInt128(0)) { $0 << 16 | UInt128($1) }
        let exponent = try parts.decode(Int8.self, forKey: .exponent)
        return try DecimalTransformer().decode("\(isNegative ? "-" : "")\(number)e\(exponent)")
    }

    private func placed<Result>(_ type: Any.Type, _ what: String, _ body: () throws -> Result?) throws -> Result {
        do {
            guard let result = try body() else { throw mismatch(type, what) }
            return result
        } catch let error as TransformerError {
            throw corrupted(error.message)
        }
    }

    private func mismatch(_ type: Any.Type, _ expected: String) -> DecodingError {
        let message = "expected \(expected), not \(tree.kind)"
        let context = DecodingError.Context(codingPath: codingPath, debugDescription: message)
        return tree.isNil ? .valueNotFound(type, context) : .typeMismatch(type, context)
    }

    private func corrupted(_ message: String) -> DecodingError {
        .dataCorrupted(DecodingError.Context(codingPath: codingPath, debugDescription: message))
    }
}

private enum DecimalPart: CodingKey {
    case exponent, length, isNegative, mantissa
}

/// Decodes a single value.
private struct TreeSingleDecoding<Tree: DecodedTree>: SingleValueDecodingContainer {
    let decoder: TreeDecoder<Tree>
    var codingPath: [any CodingKey] { decoder.codingPath }

    func decodeNil() -> Bool { decoder.tree.isNil }
    func decode(_ type: Bool.Type) throws -> Bool { try decoder.bool() }
    func decode(_ type: String.Type) throws -> String { try decoder.string() }
    func decode(_ type: Double.Type) throws -> Double { try decoder.double() }
    func decode(_ type: Float.Type) throws -> Float { try decoder.float() }
    func decode(_ type: Int.Type) throws -> Int { try decoder.integer() }
    func decode(_ type: Int8.Type) throws -> Int8 { try decoder.integer() }
    func decode(_ type: Int16.Type) throws -> Int16 { try decoder.integer() }
    func decode(_ type: Int32.Type) throws -> Int32 { try decoder.integer() }
    func decode(_ type: Int64.Type) throws -> Int64 { try decoder.integer() }
    func decode(_ type: UInt.Type) throws -> UInt { try decoder.integer() }
    func decode(_ type: UInt8.Type) throws -> UInt8 { try decoder.integer() }
    func decode(_ type: UInt16.Type) throws -> UInt16 { try decoder.integer() }
    func decode(_ type: UInt32.Type) throws -> UInt32 { try decoder.integer() }
    func decode(_ type: UInt64.Type) throws -> UInt64 { try decoder.integer() }

    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try decoder.decode(type) }
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

    /// The number as it was written, or else the shortest text of the double.
    var text: String {
        if case .text(let text) = self { text } else { double.description }
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
