/// Encodes one value.
struct TreeSingleEncoding<Tree: CodingTree>: SingleValueEncodingContainer {
    let encoder: TreeEncoder<Tree>
    var codingPath: [any CodingKey] { encoder.codingPath }

    private func next() -> TreeEncoder<Tree> { encoder }

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
}
