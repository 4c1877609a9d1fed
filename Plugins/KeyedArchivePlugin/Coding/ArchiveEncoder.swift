/// Encodes a value to a node of the tree.
///
/// A container that is requested twice is the same container.
struct ArchiveEncoder: Encoder {
    let encoding: ArchiveEncoding
    let index: Int
    let depth: Int
    let path: CodingPath

    var codingPath: [any CodingKey] { path.keys }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        become(.dictionary)
        return KeyedEncodingContainer(
            ArchiveKeyedEncodingContainer(encoding: encoding, index: index, depth: depth, path: path)
        )
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        become(.array)
        return ArchiveUnkeyedEncodingContainer(encoding: encoding, index: index, depth: depth, path: path)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer { self }

    private func become(_ kind: ArchiveTree.Kind) {
        let current = encoding.tree.nodes[index].kind
        precondition(current == .absent || current == kind, "a value must not request two kinds of containers")
        if current == .absent {
            encoding.tree.set(index, kind)
        }
    }
}

extension ArchiveEncoder: SingleValueEncodingContainer {
    func encodeNil() { encoding.tree.set(index, .null) }

    func encode(_ value: Bool) { encoding.tree.set(index, .boolean, payload: value ? 1 : 0) }

    func encode(_ value: String) { encoding.tree.set(index, to: value) }

    func encode(_ value: Double) { encoding.tree.set(index, .real, payload: value.bitPattern) }

    func encode(_ value: Float) { encode(Double(value)) }

    func encode(_ value: Int) { encoding.tree.set(index, to: Int128(value)) }

    func encode(_ value: Int8) { encoding.tree.set(index, to: Int128(value)) }

    func encode(_ value: Int16) { encoding.tree.set(index, to: Int128(value)) }

    func encode(_ value: Int32) { encoding.tree.set(index, to: Int128(value)) }

    func encode(_ value: Int64) { encoding.tree.set(index, to: Int128(value)) }

    func encode(_ value: UInt) { encoding.tree.set(index, to: Int128(value)) }

    func encode(_ value: UInt8) { encoding.tree.set(index, to: Int128(value)) }

    func encode(_ value: UInt16) { encoding.tree.set(index, to: Int128(value)) }

    func encode(_ value: UInt32) { encoding.tree.set(index, to: Int128(value)) }

    func encode(_ value: UInt64) { encoding.tree.set(index, to: Int128(value)) }

    func encode(_ value: Int128) { encoding.tree.set(index, to: Int128(value)) }

    func encode(_ value: UInt128) throws { try encoding.encode(value, at: index, path: path) }

    func encode<Value: Encodable>(_ value: Value) throws {
        try encoding.encode(value, at: index, depth: depth + 1, path: path)
    }
}

extension ArchiveEncoding {
    /// Encodes an integer of the only type that may not fit.
    func encode(_ value: UInt128, at index: Int, path: CodingPath) throws {
        guard let number = Int128(exactly: value) else {
            let context = EncodingError.Context(codingPath: path.keys, debugDescription: "it does not fit in 127 bits")
            throw EncodingError.invalidValue(value, context)
        }
        tree.set(index, to: number)
    }
}

/// Encodes the pairs of a dictionary.
private struct ArchiveKeyedEncodingContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let encoding: ArchiveEncoding
    let index: Int
    let depth: Int
    let path: CodingPath

    var codingPath: [any CodingKey] { path.keys }

    private func add(_ key: some CodingKey) -> Int {
        encoding.tree.add(to: index, key: key.stringValue)
    }

    func encodeNil(forKey key: Key) { encoding.tree.set(add(key), .null) }

    func encode(_ value: Bool, forKey key: Key) { encoding.tree.set(add(key), .boolean, payload: value ? 1 : 0) }

    func encode(_ value: String, forKey key: Key) { encoding.tree.set(add(key), to: value) }

    func encode(_ value: Double, forKey key: Key) { encoding.tree.set(add(key), .real, payload: value.bitPattern) }

    func encode(_ value: Float, forKey key: Key) { encode(Double(value), forKey: key) }

    func encode(_ value: Int, forKey key: Key) { encoding.tree.set(add(key), to: Int128(value)) }

    func encode(_ value: Int8, forKey key: Key) { encoding.tree.set(add(key), to: Int128(value)) }

    func encode(_ value: Int16, forKey key: Key) { encoding.tree.set(add(key), to: Int128(value)) }

    func encode(_ value: Int32, forKey key: Key) { encoding.tree.set(add(key), to: Int128(value)) }

    func encode(_ value: Int64, forKey key: Key) { encoding.tree.set(add(key), to: Int128(value)) }

    func encode(_ value: UInt, forKey key: Key) { encoding.tree.set(add(key), to: Int128(value)) }

    func encode(_ value: UInt8, forKey key: Key) { encoding.tree.set(add(key), to: Int128(value)) }

    func encode(_ value: UInt16, forKey key: Key) { encoding.tree.set(add(key), to: Int128(value)) }

    func encode(_ value: UInt32, forKey key: Key) { encoding.tree.set(add(key), to: Int128(value)) }

    func encode(_ value: UInt64, forKey key: Key) { encoding.tree.set(add(key), to: Int128(value)) }

    func encode(_ value: Int128, forKey key: Key) { encoding.tree.set(add(key), to: Int128(value)) }

    func encode(_ value: UInt128, forKey key: Key) throws {
        try encoding.encode(value, at: add(key), path: .key(key, parent: path))
    }

    func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
        try encoding.encode(value, at: add(key), depth: depth + 1, path: .key(key, parent: path))
    }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type,
        forKey key: Key
    ) -> KeyedEncodingContainer<NestedKey> {
        nestedEncoder(.dictionary, for: key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        nestedEncoder(.array, for: key).unkeyedContainer()
    }

    /// Returns the encoder of a nested container.
    ///
    /// A container that is requested twice is the same container.
    private func nestedEncoder(_ kind: ArchiveTree.Kind, for key: Key) -> ArchiveEncoder {
        let nested = encoding.nested(kind, in: index, key: key.stringValue)
        return ArchiveEncoder(encoding: encoding, index: nested, depth: depth + 1, path: .key(key, parent: path))
    }

    func superEncoder() -> any Encoder { encoder(for: ArchiveKey.super) }

    func superEncoder(forKey key: Key) -> any Encoder { encoder(for: key) }

    private func encoder(for key: some CodingKey) -> ArchiveEncoder {
        ArchiveEncoder(encoding: encoding, index: add(key), depth: depth + 1, path: .key(key, parent: path))
    }
}

/// Encodes the elements of an array.
private struct ArchiveUnkeyedEncodingContainer: UnkeyedEncodingContainer {
    let encoding: ArchiveEncoding
    let index: Int
    let depth: Int
    let path: CodingPath

    var codingPath: [any CodingKey] { path.keys }
    var count: Int { Int(encoding.tree.nodes[index].count) }

    private func add() -> Int { encoding.tree.add(to: index) }

    func encodeNil() { encoding.tree.set(add(), .null) }

    func encode(_ value: Bool) { encoding.tree.set(add(), .boolean, payload: value ? 1 : 0) }

    func encode(_ value: String) { encoding.tree.set(add(), to: value) }

    func encode(_ value: Double) { encoding.tree.set(add(), .real, payload: value.bitPattern) }

    func encode(_ value: Float) { encode(Double(value)) }

    func encode(_ value: Int) { encoding.tree.set(add(), to: Int128(value)) }

    func encode(_ value: Int8) { encoding.tree.set(add(), to: Int128(value)) }

    func encode(_ value: Int16) { encoding.tree.set(add(), to: Int128(value)) }

    func encode(_ value: Int32) { encoding.tree.set(add(), to: Int128(value)) }

    func encode(_ value: Int64) { encoding.tree.set(add(), to: Int128(value)) }

    func encode(_ value: UInt) { encoding.tree.set(add(), to: Int128(value)) }

    func encode(_ value: UInt8) { encoding.tree.set(add(), to: Int128(value)) }

    func encode(_ value: UInt16) { encoding.tree.set(add(), to: Int128(value)) }

    func encode(_ value: UInt32) { encoding.tree.set(add(), to: Int128(value)) }

    func encode(_ value: UInt64) { encoding.tree.set(add(), to: Int128(value)) }

    func encode(_ value: Int128) { encoding.tree.set(add(), to: Int128(value)) }

    func encode(_ value: UInt128) throws {
        let path = CodingPath.index(count, parent: path)
        try encoding.encode(value, at: add(), path: path)
    }

    func encode<Value: Encodable>(_ value: Value) throws {
        let position = count
        try encoding.encode(value, at: add(), depth: depth + 1, path: .index(position, parent: path))
    }

    func nestedContainer<NestedKey: CodingKey>(keyedBy type: NestedKey.Type) -> KeyedEncodingContainer<NestedKey> {
        encoder().container(keyedBy: type)
    }

    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { encoder().unkeyedContainer() }

    func superEncoder() -> any Encoder { encoder() }

    private func encoder() -> ArchiveEncoder {
        let path = CodingPath.index(count, parent: path)
        return ArchiveEncoder(encoding: encoding, index: add(), depth: depth + 1, path: path)
    }
}
