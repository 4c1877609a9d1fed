internal import Transformable
internal import _PropertyLists

/// Decodes a value from a node of an archive, or from the object that the node refers to.
struct ArchiveDecoder: Decoder {
    let decoding: ArchiveDecoding
    let index: Int
    let depth: Int
    /// The type that is being decoded, or the type with a class name that is encoded as this single value.
    var type: Any.Type?
    let path: CodingPath

    var codingPath: [any CodingKey] { path.keys }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        let path = path
        let resolved = try decoding.present(index, [String: Any].self) { path }
        let fields = try decoding.fields(resolved, of: self.type, path: path)
        try decoding.spend(members: fields.keys.count, of: resolved)
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
            try decoding.spend(members: members.count, of: resolved)
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

    func decode(_ type: Float.Type) throws -> Float { try decoding.float(index, path: path) }

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
        try decoding.decode(type, at: index, depth: depth + 1, wrapper: self.type, path: path)
    }
}

/// Decodes the members of an archived array or set.
private struct ArchiveUnkeyedDecodingContainer: UnkeyedDecodingContainer {
    private let decoding: ArchiveDecoding
    private let members: ArraySlice<UInt32>
    private let depth: Int
    private let path: CodingPath
    private(set) var currentIndex = 0

    init(decoding: ArchiveDecoding, members: ArraySlice<UInt32>, depth: Int, path: CodingPath) {
        self.decoding = decoding
        self.members = members
        self.depth = depth
        self.path = path
    }

    var codingPath: [any CodingKey] { path.keys }
    var count: Int? { members.count }
    var isAtEnd: Bool { currentIndex >= members.count }

    /// Decodes the next member, and advances only if that succeeds.
    private mutating func next<Value>(
        _ type: Value.Type,
        _ read: (Int, () -> CodingPath) throws -> Value
    ) throws -> Value {
        let position = currentIndex
        let path = path
        guard position < members.count else {
            let context = DecodingError.Context(
                codingPath: CodingPath.index(position, parent: path).keys,
                debugDescription: "there are no more elements"
            )
            throw DecodingError.valueNotFound(type, context)
        }
        let value = try read(Int(members[members.startIndex + position])) { .index(position, parent: path) }
        currentIndex += 1
        return value
    }

    mutating func decodeNil() throws -> Bool {
        let position = currentIndex
        let isNull = try next(Bool.self) { [decoding] index, _ in decoding.isNull(index) }
        currentIndex = isNull ? position + 1 : position
        return isNull
    }

    mutating func decode(_ type: Bool.Type) throws -> Bool {
        try next(type) { [decoding] in try decoding.boolean($0, path: $1()) }
    }

    mutating func decode(_ type: String.Type) throws -> String {
        try next(type) { [decoding] in try decoding.string($0, path: $1()) }
    }

    mutating func decode(_ type: Double.Type) throws -> Double {
        try next(type) { [decoding] in try decoding.double($0, path: $1()) }
    }

    mutating func decode(_ type: Float.Type) throws -> Float {
        try next(type) { [decoding] in try decoding.float($0, path: $1()) }
    }

    mutating func decode(_ type: Int.Type) throws -> Int {
        try next(type) { [decoding] in try decoding.integer(type, $0, path: $1()) }
    }

    mutating func decode(_ type: Int8.Type) throws -> Int8 {
        try next(type) { [decoding] in try decoding.integer(type, $0, path: $1()) }
    }

    mutating func decode(_ type: Int16.Type) throws -> Int16 {
        try next(type) { [decoding] in try decoding.integer(type, $0, path: $1()) }
    }

    mutating func decode(_ type: Int32.Type) throws -> Int32 {
        try next(type) { [decoding] in try decoding.integer(type, $0, path: $1()) }
    }

    mutating func decode(_ type: Int64.Type) throws -> Int64 {
        try next(type) { [decoding] in try decoding.integer(type, $0, path: $1()) }
    }

    mutating func decode(_ type: UInt.Type) throws -> UInt {
        try next(type) { [decoding] in try decoding.integer(type, $0, path: $1()) }
    }

    mutating func decode(_ type: UInt8.Type) throws -> UInt8 {
        try next(type) { [decoding] in try decoding.integer(type, $0, path: $1()) }
    }

    mutating func decode(_ type: UInt16.Type) throws -> UInt16 {
        try next(type) { [decoding] in try decoding.integer(type, $0, path: $1()) }
    }

    mutating func decode(_ type: UInt32.Type) throws -> UInt32 {
        try next(type) { [decoding] in try decoding.integer(type, $0, path: $1()) }
    }

    mutating func decode(_ type: UInt64.Type) throws -> UInt64 {
        try next(type) { [decoding] in try decoding.integer(type, $0, path: $1()) }
    }

    mutating func decode(_ type: Int128.Type) throws -> Int128 {
        try next(type) { [decoding] in try decoding.integer(type, $0, path: $1()) }
    }

    mutating func decode(_ type: UInt128.Type) throws -> UInt128 {
        try next(type) { [decoding] in try decoding.integer(type, $0, path: $1()) }
    }

    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        try next(type) { [decoding, depth] in try decoding.decode(type, at: $0, depth: depth + 1, path: $1()) }
    }

    mutating func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type
    ) throws -> KeyedDecodingContainer<NestedKey> {
        try next(KeyedDecodingContainer<NestedKey>.self) { [decoding, depth] in
            try ArchiveDecoder(decoding: decoding, index: $0, depth: depth + 1, path: $1()).container(keyedBy: type)
        }
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        try next((any UnkeyedDecodingContainer).self) { [decoding, depth] in
            try ArchiveDecoder(decoding: decoding, index: $0, depth: depth + 1, path: $1()).unkeyedContainer()
        }
    }

    mutating func superDecoder() throws -> any Decoder {
        try next((any Decoder).self) { [decoding, depth] in
            ArchiveDecoder(decoding: decoding, index: $0, depth: depth + 1, path: $1())
        }
    }
}
