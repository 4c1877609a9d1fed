internal import Transformable
internal import _PropertyLists

/// Decodes a value from a node of an archive, or from the object that the node refers to.
struct ArchiveDecoder: Decoder {
    let decoding: ArchiveDecoding
    let index: Int
    let depth: Int
    /// The type that is being decoded.
    var type: Any.Type?
    let path: CodingPath

    var codingPath: [any CodingKey] { path.keys }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        let path = path
        let resolved = try decoding.present(index, [String: Any].self) { path }
        let fields = try decoding.fields(resolved, of: self.type, path: path)
        return KeyedDecodingContainer(
            ArchiveKeyedDecodingContainer(decoding: decoding, fields: fields, depth: depth, path: path)
        )
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        let path = path
        let resolved = try decoding.present(index, [Any].self) { path }
        switch decoding.symbol(resolved) {
        case .array, .mutableArray, .set, .mutableSet, .orderedSet, .mutableOrderedSet:
            let members = try decoding.storage.members(of: resolved)
            return ArchiveUnkeyedDecodingContainer(decoding: decoding, members: members, depth: depth, path: path)
        default:
            throw decoding.mismatch(resolved, [Any].self, path: path)
        }
    }

    func singleValueContainer() -> any SingleValueDecodingContainer { self }
}

extension ArchiveDecoder: SingleValueDecodingContainer {
    func decodeNil() -> Bool { decoding.isNull(index) }

    func decode(_ type: Bool.Type) throws -> Bool { try decoding.boolean(index, path: path) }

    func decode(_ type: String.Type) throws -> String { try decoding.string(index, path: path) }

    func decode(_ type: Double.Type) throws -> Double { try decoding.double(index, path: path) }

    func decode(_ type: Float.Type) throws -> Float { Float(try decoding.double(index, path: path)) }

    func decode(_ type: Int.Type) throws -> Int { try decoding.integer(type, index, path: path) }

    func decode(_ type: Int8.Type) throws -> Int8 { try decoding.integer(type, index, path: path) }

    func decode(_ type: Int16.Type) throws -> Int16 { try decoding.integer(type, index, path: path) }

    func decode(_ type: Int32.Type) throws -> Int32 { try decoding.integer(type, index, path: path) }

    func decode(_ type: Int64.Type) throws -> Int64 { try decoding.integer(type, index, path: path) }

    func decode(_ type: UInt.Type) throws -> UInt { try decoding.integer(type, index, path: path) }

    func decode(_ type: UInt8.Type) throws -> UInt8 { try decoding.integer(type, index, path: path) }

    func decode(_ type: UInt16.Type) throws -> UInt16 { try decoding.integer(type, index, path: path) }

    func decode(_ type: UInt32.Type) throws -> UInt32 { try decoding.integer(type, index, path: path) }

    func decode(_ type: UInt64.Type) throws -> UInt64 { try decoding.integer(type, index, path: path) }

    func decode(_ type: Int128.Type) throws -> Int128 { try decoding.integer(type, index, path: path) }

    func decode(_ type: UInt128.Type) throws -> UInt128 { try decoding.integer(type, index, path: path) }

    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        try decoding.decode(type, at: index, depth: depth + 1, path: path)
    }
}
