/// Encodes a single value.
struct TreeSingleEncoding: SingleValueEncodingContainer {
    let encoder: TreeEncoder
    var codingPath: [any CodingKey] { encoder.codingPath }

    private func set(_ value: some FixedWidthInteger) throws {
        encoder.set(try encoder.tree(integer: value))
    }

    mutating func encodeNil() { encoder.set(encoder.format.null) }
    mutating func encode(_ value: Bool) throws { encoder.set(encoder.format.tree(value)) }
    mutating func encode(_ value: String) throws { encoder.set(encoder.format.tree(value)) }
    mutating func encode(_ value: Double) throws {
        encoder.set(try encoder.tree(number: encoder.format.tree(value), value))
    }

    mutating func encode(_ value: Float) throws {
        encoder.set(try encoder.tree(number: encoder.format.tree(value), value))
    }

    mutating func encode(_ value: Int) throws { try set(value) }
    mutating func encode(_ value: Int8) throws { try set(value) }
    mutating func encode(_ value: Int16) throws { try set(value) }
    mutating func encode(_ value: Int32) throws { try set(value) }
    mutating func encode(_ value: Int64) throws { try set(value) }
    mutating func encode(_ value: UInt) throws { try set(value) }
    mutating func encode(_ value: UInt8) throws { try set(value) }
    mutating func encode(_ value: UInt16) throws { try set(value) }
    mutating func encode(_ value: UInt32) throws { try set(value) }
    mutating func encode(_ value: UInt64) throws { try set(value) }

    mutating func encode<Value: Encodable>(_ value: Value) throws {
        try encoder.encode(value)
    }
}
