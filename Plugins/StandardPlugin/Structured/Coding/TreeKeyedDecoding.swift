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

/// Decodes the elements of an array.
struct TreeUnkeyedDecoding<Tree: DecodedTree>: UnkeyedDecodingContainer {
    let decoder: TreeDecoder<Tree>
    private let elements: [Tree]
    private(set) var currentIndex = 0
    var codingPath: [any CodingKey] { decoder.codingPath }
    var count: Int? { elements.count }
    var isAtEnd: Bool { currentIndex == elements.count }

    init(decoder: TreeDecoder<Tree>, elements: [Tree]) {
        self.decoder = decoder
        self.elements = elements
    }

    /// Decodes the next element, and advances only if that succeeds.
    private mutating func advance<Result>(_ body: (TreeDecoder<Tree>) throws -> Result) throws -> Result {
        guard !isAtEnd else {
            let path = codingPath + [TreeKey(index: currentIndex)]
            let context = DecodingError.Context(codingPath: path, debugDescription: "the array ends here")
            throw DecodingError.valueNotFound(Result.self, context)
        }
        let result = try body(decoder.nested(elements[currentIndex], .index(currentIndex)))
        currentIndex += 1
        return result
    }

    /// Returns the value of the next element, and advances if there is one.
    ///
    /// Only a value of another kind needs a decoder, which knows its place.
    private mutating func take<Result>(
        _ value: (Tree) -> Result?,
        _ body: (TreeDecoder<Tree>) throws -> Result
    ) throws -> Result {
        guard !isAtEnd, let result = value(elements[currentIndex]) else { return try advance(body) }
        currentIndex += 1
        return result
    }

    private mutating func integer<Value: FixedWidthInteger>() throws -> Value {
        try take({ $0.numberValue?.exactly(Value.self) }, { try $0.integer() })
    }

    mutating func decodeNil() -> Bool {
        guard !isAtEnd, elements[currentIndex].isNil else { return false }
        currentIndex += 1
        return true
    }
    mutating func decode(_ type: Bool.Type) throws -> Bool { try take({ $0.boolValue }, { try $0.bool() }) }
    mutating func decode(_ type: String.Type) throws -> String {
        try take({ $0.isNil ? nil : $0.stringValue }, { try $0.string() })
    }

    mutating func decode(_ type: Double.Type) throws -> Double {
        try take({ $0.numberValue?.double }, { try $0.double() })
    }

    mutating func decode(_ type: Float.Type) throws -> Float { try advance { try $0.float() } }
    mutating func decode(_ type: Int.Type) throws -> Int { try integer() }
    mutating func decode(_ type: Int8.Type) throws -> Int8 { try integer() }
    mutating func decode(_ type: Int16.Type) throws -> Int16 { try integer() }
    mutating func decode(_ type: Int32.Type) throws -> Int32 { try integer() }
    mutating func decode(_ type: Int64.Type) throws -> Int64 { try integer() }
    mutating func decode(_ type: UInt.Type) throws -> UInt { try integer() }
    mutating func decode(_ type: UInt8.Type) throws -> UInt8 { try integer() }
    mutating func decode(_ type: UInt16.Type) throws -> UInt16 { try integer() }
    mutating func decode(_ type: UInt32.Type) throws -> UInt32 { try integer() }
    mutating func decode(_ type: UInt64.Type) throws -> UInt64 { try integer() }

    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        try advance { try $0.decode(type) }
    }

    mutating func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type
    ) throws -> KeyedDecodingContainer<NestedKey> {
        try advance { try $0.container(keyedBy: type) }
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        try advance { try $0.unkeyedContainer() }
    }

    mutating func superDecoder() throws -> any Decoder {
        try advance { $0 }
    }
}
