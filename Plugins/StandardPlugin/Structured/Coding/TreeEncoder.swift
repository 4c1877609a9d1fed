internal import Foundation
internal import Transformable

/// Encodes a `Codable` value to a tree.
struct TreeEncoder: Encoder {
    let box: TreeBox
    let session: TreeSession
    let path: TreePath?
    var codingPath: [any CodingKey] { path?.keys ?? [] }
    var format: TreeFormat { session.format }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    /// Encodes a value.
    ///
    /// Every error is a `TransformerError` that includes the coding path.
    static func tree<Value: Encodable>(of value: Value, _ format: TreeFormat) throws(TransformerError) -> EncodedTree {
        do {
            let box = TreeBox()
            try Self(box: box, session: TreeSession(format), path: nil).encode(value)
            return try box.tree(format)
        } catch let error as TransformerError {
            throw error
        } catch EncodingError.invalidValue(_, let context) {
            let path = describe(context.codingPath)
            throw .invalidValue((path.isEmpty ? "" : "at \(path): ") + context.debugDescription)
        } catch {
            throw .invalidValue("the value could not be encoded", underlying: error)
        }
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        KeyedEncodingContainer(TreeKeyedEncoding<Key>(encoder: self))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        TreeUnkeyedEncoding(encoder: self)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer {
        TreeSingleEncoding(encoder: self)
    }

    func nested(_ box: TreeBox, _ step: TreePath.Step) -> Self {
        Self(box: box, session: session, path: TreePath(path, step))
    }

    func set(_ tree: EncodedTree) {
        box.content = .value(tree)
    }

    /// Returns the tree of a number if the format can represent it.
    ///
    /// An error includes the key.
    func tree(number: EncodedTree?, _ value: some FloatingPoint, _ step: TreePath.Step? = nil) throws -> EncodedTree {
        guard let number else { throw failure(value, "\(format.name) cannot represent the number \(value)", step) }
        return number
    }

    /// Returns the tree of text if the format can represent it.
    ///
    /// An error includes the key.
    func tree(text: String, _ step: TreePath.Step? = nil) throws -> EncodedTree {
        guard let tree = format.tree(text) else {
            let message = "\(format.name) cannot represent the text “\(text)”, which stands for nil"
            throw failure(text, message + "; change the text, or use json", step)
        }
        return tree
    }

    /// Returns the tree of an integer.
    ///
    /// An error includes the key.
    func tree(integer value: some FixedWidthInteger, _ step: TreePath.Step? = nil) throws -> EncodedTree {
        if let value = Int64(exactly: value) { return format.tree(value) }
        if let value = UInt64(exactly: value) { return format.tree(value) }
        throw failure(value, "the number does not fit in 64 bits", step)
    }

    func encode<Value: Encodable>(_ value: Value) throws {
        guard path?.depth ?? 0 <= StructureLimit.depth else {
            throw failure(value, "\(format.name) is nested more than \(StructureLimit.depth) levels deep")
        }
        if isSpecial(Value.self, in: format.valueType), let special = try tree(of: value) {
            set(special)
            return
        }
        try value.encode(to: self)
        box.noteOrder(of: value, session)
    }

    /// Returns the tree of a value whose type is handled specially, or nil for any other value.
    private func tree(of value: Any) throws -> EncodedTree? {
        switch value {
        case let value as Date: try placed { try format.tree(value) }
        case let value as Data: format.tree(value)
        case let value as URL: try tree(text: value.absoluteString)
        case let value as Decimal: try tree(text: placed { try DecimalTransformer().encode(value) })
        default: format.tree(ofOwn: value)
        }
    }

    private func placed<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let error as TransformerError {
            throw failure(codingPath, error.message)
        }
    }

    private func failure(_ value: Any, _ message: String, _ step: TreePath.Step? = nil) -> EncodingError {
        let keys = codingPath + (step.map { [$0.key] } ?? [])
        return .invalidValue(value, EncodingError.Context(codingPath: keys, debugDescription: message))
    }
}

/// Returns whether a type is handled specially.
///
/// It only compares pointers, which is faster than a cast.
func isSpecial(_ type: Any.Type, in tree: Any.Type) -> Bool {
    type == Date.self || type == Data.self || type == URL.self || type == Decimal.self || type == tree
}

/// Encodes a single value.
struct TreeSingleEncoding: SingleValueEncodingContainer {
    let encoder: TreeEncoder
    var codingPath: [any CodingKey] { encoder.codingPath }

    private func set(_ value: some FixedWidthInteger) throws {
        encoder.set(try encoder.tree(integer: value))
    }

    mutating func encodeNil() { encoder.set(encoder.format.null) }
    mutating func encode(_ value: Bool) throws { encoder.set(encoder.format.tree(value)) }
    mutating func encode(_ value: String) throws { encoder.set(try encoder.tree(text: value)) }
    mutating func encode(_ value: Double) throws {
        encoder.set(try encoder.tree(number: encoder.format.tree(value), value))
    }

    mutating func encode(_ value: Float) throws {
        encoder.set(try encoder.tree(number: encoder.format.tree(value), value))
    }

    mutating func encode(_ value: Int) throws { try set(value) }
    mutating func encode(_ value: Int8) throws { try set(value) }
    mutating func encode(_ value: Int16) throws { try set(value) }
    mutating func encode(_ value: Int32) throws { try set(value) }
    mutating func encode(_ value: Int64) throws { try set(value) }
    mutating func encode(_ value: UInt) throws { try set(value) }
    mutating func encode(_ value: UInt8) throws { try set(value) }
    mutating func encode(_ value: UInt16) throws { try set(value) }
    mutating func encode(_ value: UInt32) throws { try set(value) }
    mutating func encode(_ value: UInt64) throws { try set(value) }

    mutating func encode<Value: Encodable>(_ value: Value) throws {
        try encoder.encode(value)
    }
}

/// The state that all encoders of a tree share.
final class TreeSession {
    let format: TreeFormat
    private var orders: [ObjectIdentifier: TreeOrder] = [:]

    init(_ format: TreeFormat) {
        self.format = format
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
