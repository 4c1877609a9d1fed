internal import _PropertyLists

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
