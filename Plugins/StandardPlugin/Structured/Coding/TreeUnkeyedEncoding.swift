/// Encodes elements one after another.
struct TreeUnkeyedEncoding<Tree: CodingTree>: UnkeyedEncodingContainer {
    let encoder: TreeEncoder<Tree>
    var codingPath: [any CodingKey] { encoder.codingPath }

    init(encoder: TreeEncoder<Tree>) {
        self.encoder = encoder
        guard case .array = encoder.box.content else {
            encoder.box.content = .array([])
            return
        }
    }

    var count: Int {
        guard case .array(let boxes) = encoder.box.content else { return 0 }
        return boxes.count
    }

    private func next() -> TreeEncoder<Tree> {
        let box = TreeBox<Tree>()
        let index = count
        if case .array(var boxes) = encoder.box.content {
            encoder.box.content = .empty
            boxes.append(box)
            encoder.box.content = .array(boxes)
        }
        return encoder.nested(box, TreeKey(index: index))
    }

    mutating func encodeNil() { next().set(.nilValue) }
    mutating func encode(_ value: Bool) throws { next().set(.bool(value)) }
    mutating func encode(_ value: String) throws { next().set(.string(value)) }
    mutating func encode(_ value: Double) throws { try next().set(number: .number(value), value) }
    mutating func encode(_ value: Float) throws { try next().set(number: .number(value), value) }
    mutating func encode(_ value: Int) throws { try next().set(integer: value) }
    mutating func encode(_ value: Int8) throws { try next().set(integer: value) }
    mutating func encode(_ value: Int16) throws { try next().set(integer: value) }
    mutating func encode(_ value: Int32) throws { try next().set(integer: value) }
    mutating func encode(_ value: Int64) throws { try next().set(integer: value) }
    mutating func encode(_ value: UInt) throws { try next().set(integer: value) }
    mutating func encode(_ value: UInt8) throws { try next().set(integer: value) }
    mutating func encode(_ value: UInt16) throws { try next().set(integer: value) }
    mutating func encode(_ value: UInt32) throws { try next().set(integer: value) }
    mutating func encode(_ value: UInt64) throws { try next().set(integer: value) }

    mutating func encode<Value: Encodable>(_ value: Value) throws {
        try next().encode(value)
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
