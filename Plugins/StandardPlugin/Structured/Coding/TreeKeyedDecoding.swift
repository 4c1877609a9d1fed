/// Decodes the members of a dictionary.
struct TreeKeyedDecoding<Tree: DecodedTree, Key: CodingKey>: KeyedDecodingContainerProtocol {
    let decoder: TreeDecoder<Tree>
    let members: [String: Tree]
    var codingPath: [any CodingKey] { decoder.codingPath }
    var allKeys: [Key] { sortedByUTF8(members).compactMap { Key(stringValue: $0.key) } }

    func contains(_ key: Key) -> Bool { members[key.stringValue] != nil }

    private func member(_ key: any CodingKey) throws -> Tree {
        guard let tree = members[key.stringValue] else {
            let context = DecodingError.Context(codingPath: codingPath, debugDescription: "a name is missing")
            throw DecodingError.keyNotFound(key, context)
        }
        return tree
    }

    private func next(_ key: any CodingKey) throws -> TreeDecoder<Tree> {
        decoder.nested(try member(key), .key(key))
    }

    // Only a value of another kind needs a decoder, which knows its place.

    func decodeNil(forKey key: Key) throws -> Bool { try member(key).isNil }
    func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool {
        try member(key).boolValue ?? next(key).bool()
    }

    func decode(_ type: String.Type, forKey key: Key) throws -> String {
        let tree = try member(key)
        guard !tree.isNil, let text = tree.stringValue else { return try next(key).string() }
        return text
    }

    func decode(_ type: Double.Type, forKey key: Key) throws -> Double {
        try member(key).numberValue?.double ?? next(key).double()
    }

    private func integer<Value: FixedWidthInteger>(_ key: Key) throws -> Value {
        try member(key).numberValue?.exactly(Value.self) ?? next(key).integer()
    }

    func decode(_ type: Float.Type, forKey key: Key) throws -> Float { try next(key).float() }
    func decode(_ type: Int.Type, forKey key: Key) throws -> Int { try integer(key) }
    func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 { try integer(key) }
    func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 { try integer(key) }
    func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 { try integer(key) }
    func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 { try integer(key) }
    func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt { try integer(key) }
    func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 { try integer(key) }
    func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 { try integer(key) }
    func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 { try integer(key) }
    func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 { try integer(key) }

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        try next(key).decode(type)
    }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type,
        forKey key: Key
    ) throws -> KeyedDecodingContainer<NestedKey> {
        try next(key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try next(key).unkeyedContainer()
    }

    func superDecoder() throws -> any Decoder { try next(TreeKey.parent) }

    func superDecoder(forKey key: Key) throws -> any Decoder { try next(key) }
}
