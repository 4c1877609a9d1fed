internal import _PropertyLists

/// Encodes the elements of an array.
struct ArchiveUnkeyedEncodingContainer: UnkeyedEncodingContainer {
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
