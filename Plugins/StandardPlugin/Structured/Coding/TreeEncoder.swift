internal import Foundation
internal import Transformable

/// Encodes a `Codable` value to a tree.
struct TreeEncoder<Tree: CodingTree>: Encoder {
    let box: TreeBox<Tree>
    let options: TreeOptions
    let codingPath: [any CodingKey]
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    /// Encodes a value.
    ///
    /// Every error is a `TransformerError` that includes the coding path.
    static func tree<Value: Encodable>(of value: Value, _ options: TreeOptions) throws(TransformerError) -> Tree {
        do {
            let box = TreeBox<Tree>()
            try Self(box: box, options: options, codingPath: []).encode(value)
            return try box.tree()
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
        KeyedEncodingContainer(TreeKeyedEncoding<Tree, Key>(encoder: self))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        TreeUnkeyedEncoding(encoder: self)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer {
        TreeSingleEncoding(encoder: self)
    }

    func nested(_ box: TreeBox<Tree>, _ key: any CodingKey) -> Self {
        Self(box: box, options: options, codingPath: codingPath + [key])
    }

    func set(_ tree: Tree) {
        box.content = .value(tree)
    }

    /// Returns the tree of a number if the format can represent it.
    ///
    /// An error includes the key.
    func tree(number: Tree?, _ value: some FloatingPoint, _ key: (any CodingKey)? = nil) throws -> Tree {
        guard let number else { throw failure(value, "\(Tree.formatName) cannot represent the number \(value)", key) }
        return number
    }

    /// Returns the tree of an integer.
    ///
    /// An error includes the key.
    func tree(integer value: some FixedWidthInteger, _ key: (any CodingKey)? = nil) throws -> Tree {
        if let value = Int64(exactly: value) { return .integer(value) }
        if let value = UInt64(exactly: value) { return .unsignedInteger(value) }
        throw failure(value, "the number does not fit in 64 bits", key)
    }

    func encode<Value: Encodable>(_ value: Value) throws {
        guard codingPath.count <= StructureLimit.depth else {
            throw failure(value, "\(Tree.formatName) is nested more than \(StructureLimit.depth) levels deep")
        }
        if isSpecial(Value.self, in: Tree.self), let special = try tree(of: value) {
            set(special)
            return
        }
        try value.encode(to: self)
        box.noteOrder(of: value)
    }

    /// Returns the tree of a value whose type is handled specially, or nil for any other value.
    private func tree(of value: Any) throws -> Tree? {
        switch value {
        case let value as Tree: value
        case let value as Date: try placed { try Tree.date(value, options) }
        case let value as Data: try placed { try Tree.bytes(value) }
        case let value as URL: .string(value.absoluteString)
        case let value as Decimal: .string(try placed { try DecimalTransformer().encode(value) })
        default: nil
        }
    }

    private func placed<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let error as TransformerError {
            throw failure(codingPath, error.message)
        }
    }

    private func failure(_ value: Any, _ message: String, _ key: (any CodingKey)? = nil) -> EncodingError {
        let path = key.map { codingPath + [$0] } ?? codingPath
        return .invalidValue(value, EncodingError.Context(codingPath: path, debugDescription: message))
    }
}

/// Returns whether a type is handled specially.
///
/// It only compares pointers, which is faster than a cast.
func isSpecial(_ type: Any.Type, in tree: Any.Type) -> Bool {
    type == Date.self || type == Data.self || type == URL.self || type == Decimal.self || type == tree
}
