/// Encodes the pairs of a dictionary.
struct ArchiveKeyedEncodingContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
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
        encoder(for: key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        encoder(for: key).unkeyedContainer()
    }

    func superEncoder() -> any Encoder { encoder(for: ArchiveKey.super) }

    func superEncoder(forKey key: Key) -> any Encoder { encoder(for: key) }

    private func encoder(for key: some CodingKey) -> ArchiveEncoder {
        ArchiveEncoder(encoding: encoding, index: add(key), depth: depth + 1, path: .key(key, parent: path))
    }
}
