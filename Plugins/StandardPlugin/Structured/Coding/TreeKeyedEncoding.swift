/// Encodes the members of a dictionary.
struct TreeKeyedEncoding<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let encoder: TreeEncoder
    var codingPath: [any CodingKey] { encoder.codingPath }

    init(encoder: TreeEncoder) {
        self.encoder = encoder
        guard case .keyed = encoder.box.content else {
            encoder.box.content = .keyed([])
            return
        }
    }

    /// Returns an encoder for a new member.
    private func next(_ key: any CodingKey) -> TreeEncoder {
        let box = TreeBox()
        encoder.box.append(.box(box), named: key.stringValue)
        return encoder.nested(box, .key(key))
    }

    private func nested(_ key: Key) -> TreeEncoder {
        encoder.nested(encoder.box.nested(named: key.stringValue), .key(key))
    }

    private func add(_ tree: EncodedTree, _ key: Key) {
        encoder.box.append(.tree(tree), named: key.stringValue)
    }

    private func add(_ value: some FixedWidthInteger, _ key: Key) throws {
        add(try encoder.tree(integer: value, .key(key)), key)
    }

    mutating func encodeNil(forKey key: Key) { add(encoder.format.null, key) }
    mutating func encode(_ value: Bool, forKey key: Key) throws { add(encoder.format.tree(value), key) }
    mutating func encode(_ value: String, forKey key: Key) throws { add(try encoder.tree(text: value, .key(key)), key) }
    mutating func encode(_ value: Double, forKey key: Key) throws {
        add(try encoder.tree(number: encoder.format.tree(value), value, .key(key)), key)
    }

    mutating func encode(_ value: Float, forKey key: Key) throws {
        add(try encoder.tree(number: encoder.format.tree(value), value, .key(key)), key)
    }

    mutating func encode(_ value: Int, forKey key: Key) throws { try add(value, key) }
    mutating func encode(_ value: Int8, forKey key: Key) throws { try add(value, key) }
    mutating func encode(_ value: Int16, forKey key: Key) throws { try add(value, key) }
    mutating func encode(_ value: Int32, forKey key: Key) throws { try add(value, key) }
    mutating func encode(_ value: Int64, forKey key: Key) throws { try add(value, key) }
    mutating func encode(_ value: UInt, forKey key: Key) throws { try add(value, key) }
    mutating func encode(_ value: UInt8, forKey key: Key) throws { try add(value, key) }
    mutating func encode(_ value: UInt16, forKey key: Key) throws { try add(value, key) }
    mutating func encode(_ value: UInt32, forKey key: Key) throws { try add(value, key) }
    mutating func encode(_ value: UInt64, forKey key: Key) throws { try add(value, key) }

    /// Encodes a value, and adds it only if that succeeds.
    mutating func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
        let box = TreeBox()
        try encoder.nested(box, .key(key)).encode(value)
        encoder.box.append(.box(box), named: key.stringValue)
    }

    mutating func nestedContainer<NestedKey: CodingKey>(
        keyedBy keyType: NestedKey.Type,
        forKey key: Key
    ) -> KeyedEncodingContainer<NestedKey> {
        nested(key).container(keyedBy: keyType)
    }

    mutating func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        nested(key).unkeyedContainer()
    }

    mutating func superEncoder() -> any Encoder { next(TreeKey.parent) }

    mutating func superEncoder(forKey key: Key) -> any Encoder { next(key) }
}

/// Encodes the elements of an array.
struct TreeUnkeyedEncoding: UnkeyedEncodingContainer {
    let encoder: TreeEncoder
    var codingPath: [any CodingKey] { encoder.codingPath }

    init(encoder: TreeEncoder) {
        self.encoder = encoder
        guard case .array = encoder.box.content else {
            encoder.box.content = .array([])
            return
        }
    }

    var count: Int {
        guard case .array(let parts) = encoder.box.content else { return 0 }
        return parts.count
    }

    /// Returns an encoder for a new element.
    private func next() -> TreeEncoder {
        let box = TreeBox()
        let step = TreePath.Step.index(count)
        encoder.box.append(.box(box))
        return encoder.nested(box, step)
    }

    private func add(_ tree: EncodedTree) {
        encoder.box.append(.tree(tree))
    }

    private func add(_ value: some FixedWidthInteger) throws {
        add(try encoder.tree(integer: value, .index(count)))
    }

    mutating func encodeNil() { add(encoder.format.null) }
    mutating func encode(_ value: Bool) throws { add(encoder.format.tree(value)) }
    mutating func encode(_ value: String) throws { add(try encoder.tree(text: value, .index(count))) }
    mutating func encode(_ value: Double) throws {
        add(try encoder.tree(number: encoder.format.tree(value), value, .index(count)))
    }

    mutating func encode(_ value: Float) throws {
        add(try encoder.tree(number: encoder.format.tree(value), value, .index(count)))
    }

    mutating func encode(_ value: Int) throws { try add(value) }
    mutating func encode(_ value: Int8) throws { try add(value) }
    mutating func encode(_ value: Int16) throws { try add(value) }
    mutating func encode(_ value: Int32) throws { try add(value) }
    mutating func encode(_ value: Int64) throws { try add(value) }
    mutating func encode(_ value: UInt) throws { try add(value) }
    mutating func encode(_ value: UInt8) throws { try add(value) }
    mutating func encode(_ value: UInt16) throws { try add(value) }
    mutating func encode(_ value: UInt32) throws { try add(value) }
    mutating func encode(_ value: UInt64) throws { try add(value) }

    /// Encodes a value, and adds it only if that succeeds.
    mutating func encode<Value: Encodable>(_ value: Value) throws {
        let box = TreeBox()
        try encoder.nested(box, .index(count)).encode(value)
        encoder.box.append(.box(box))
    }

    mutating func nestedContainer<NestedKey: CodingKey>(
        keyedBy keyType: NestedKey.Type
    ) -> KeyedEncodingContainer<NestedKey> {
        next().container(keyedBy: keyType)
    }

    mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
        next().unkeyedContainer()
    }

    mutating func superEncoder() -> any Encoder { next() }
}
