internal import Transformable
internal import _PropertyLists

/// Decodes the pairs of an archived dictionary.
struct ArchiveKeyedDecodingContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
    private let decoding: ArchiveDecoding
    private let fields: ArchivedFields
    private let depth: Int
    private let path: CodingPath
    /// The position of each key.
    ///
    /// Only dictionaries with many keys have it.
    private let positions: [String: Int]?

    init(
        decoding: ArchiveDecoding,
        fields: ArchivedFields,
        depth: Int,
        path: CodingPath
    ) {
        self.decoding = decoding
        self.fields = fields
        self.depth = depth
        self.path = path
        guard fields.keys.count > ArchiveDecoding.fewMembers else {
            positions = nil
            return
        }
        let texts = fields.keys.enumerated()
            .compactMap { position, key in
                decoding.keyText(Int(key)).map { ($0, position) }
            }
        positions = Dictionary(texts, uniquingKeysWith: { first, _ in first })
    }

    var codingPath: [any CodingKey] { path.keys }

    var allKeys: [Key] {
        fields.keys.compactMap { decoding.keyText(Int($0)).flatMap(fields.name).flatMap { Key(stringValue: $0) } }
    }

    private func find(_ key: some CodingKey) -> Int? {
        if let found = find(fields.text(key.stringValue)) { return found }
        return fields.mayHaveBareKey && key.stringValue == ArchivedFields.version ? find(ArchivedFields.version) : nil
    }

    private func find(_ text: String) -> Int? {
        let (keys, values) = (fields.keys, fields.values)
        if let positions {
            return positions[text].map { Int(values[values.startIndex + $0]) }
        }
        let found = keys.firstIndex { decoding.key(Int($0), is: text) }
        return found.map { Int(values[values.startIndex + $0 - keys.startIndex]) }
    }

    private func require(_ key: some CodingKey) throws -> Int {
        guard let index = find(key) else {
            let context = DecodingError.Context(codingPath: path.keys, debugDescription: "the key is missing")
            throw DecodingError.keyNotFound(key, context)
        }
        return index
    }

    func contains(_ key: Key) -> Bool { find(key) != nil }

    func decodeNil(forKey key: Key) throws -> Bool { decoding.isNull(try require(key)) }

    func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool {
        try decoding.boolean(require(key), path: .key(key, parent: path))
    }

    func decode(_ type: String.Type, forKey key: Key) throws -> String {
        try decoding.string(require(key), path: .key(key, parent: path))
    }

    func decode(_ type: Double.Type, forKey key: Key) throws -> Double {
        try decoding.double(require(key), path: .key(key, parent: path))
    }

    func decode(_ type: Float.Type, forKey key: Key) throws -> Float {
        try decoding.float(require(key), path: .key(key, parent: path))
    }

    func decode(_ type: Int.Type, forKey key: Key) throws -> Int {
        try decoding.integer(type, require(key), path: .key(key, parent: path))
    }

    func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 {
        try decoding.integer(type, require(key), path: .key(key, parent: path))
    }

    func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 {
        try decoding.integer(type, require(key), path: .key(key, parent: path))
    }

    func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 {
        try decoding.integer(type, require(key), path: .key(key, parent: path))
    }

    func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 {
        try decoding.integer(type, require(key), path: .key(key, parent: path))
    }

    func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt {
        try decoding.integer(type, require(key), path: .key(key, parent: path))
    }

    func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 {
        try decoding.integer(type, require(key), path: .key(key, parent: path))
    }

    func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 {
        try decoding.integer(type, require(key), path: .key(key, parent: path))
    }

    func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 {
        try decoding.integer(type, require(key), path: .key(key, parent: path))
    }

    func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 {
        try decoding.integer(type, require(key), path: .key(key, parent: path))
    }

    func decode(_ type: Int128.Type, forKey key: Key) throws -> Int128 {
        try decoding.integer(type, require(key), path: .key(key, parent: path))
    }

    func decode(_ type: UInt128.Type, forKey key: Key) throws -> UInt128 {
        try decoding.integer(type, require(key), path: .key(key, parent: path))
    }

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        try decoding.decode(type, at: require(key), depth: depth + 1, path: .key(key, parent: path))
    }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type,
        forKey key: Key
    ) throws -> KeyedDecodingContainer<NestedKey> {
        try decoder(for: key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try decoder(for: key).unkeyedContainer()
    }

    func superDecoder() throws -> any Decoder { try decoder(for: ArchiveKey.super) }

    func superDecoder(forKey key: Key) throws -> any Decoder { try decoder(for: key) }

    private func decoder(for key: some CodingKey) throws -> ArchiveDecoder {
        ArchiveDecoder(decoding: decoding, index: try require(key), depth: depth + 1, path: .key(key, parent: path))
    }
}

extension ArchiveDecoding {
    /// Returns the key of a dictionary as text.
    ///
    /// An integer is written in decimal digits.
    fileprivate func keyText(_ index: Int) -> String? {
        guard let resolved = storage.resolve(index) else { return nil }
        let node = storage.table.nodes[resolved]
        return storage.table.text(node) ?? storage.table.integer(node).map { String($0) }
    }

    /// Returns whether a key of a dictionary equals a string.
    func key(_ index: Int, is text: String) -> Bool {
        guard let resolved = storage.resolve(index) else { return false }
        let node = storage.table.nodes[resolved]
        return node.isString ? storage.table.string(node, equals: text) : keyText(index) == text
    }
}

/// The keys and values of a keyed container: the pairs of a dictionary, or the fields of an object.
struct ArchivedFields {
    let keys: ArraySlice<UInt32>
    let values: ArraySlice<UInt32>
    /// Whether they are the fields of an object, which also has fields of the archiver.
    let areOfObject: Bool
    /// Whether the field of the version can be a key of the type instead.
    ///
    /// Earlier versions did not escape the key of a type without a version.
    var mayHaveBareKey = false

    /// The field that stores the version of a type.
    static let version = "archiveVersion"

    /// Returns the name of a field for a key.
    func text(_ key: String) -> String { areOfObject ? key.keyFieldName : key }

    /// Returns the key for the name of a field, or nil if the field belongs to the archiver.
    func name(_ text: String) -> String? {
        guard areOfObject else { return text }
        guard text != Self.version else { return nil }
        guard text.hasPrefix("$") else { return text }
        let key = String(text.dropFirst())
        return key.hasPrefix("$") || key == Self.version ? key : nil
    }
}

extension ArchiveDecoding {
    /// Returns the fields of a dictionary, or of an object of the type's class.
    func fields(_ index: Int, of type: Any.Type?, path: CodingPath) throws -> ArchivedFields {
        if [.dictionary, .mutableDictionary].contains(symbol(index)) {
            let (keys, values) = try storage.pairs(of: index)
            return ArchivedFields(keys: keys, values: values, areOfObject: false)
        }
        guard let archivedClass = storage.archivedClass(at: index),
            archivedClass.symbol?.rawValue != archivedClass.name
        else { throw mismatch(index, [String: Any].self, path: path) }
        let named = type as? any KeyedArchiveNamed.Type
        let isAllowed = ([archivedClass.name] + archivedClass.fallbacks)
            .contains { name in
                named?.isNamed(name) ?? false || classes.contains { $0.isIdentical(to: name) }
            }
        guard isAllowed else {
            let names = (named.map { [$0.archiveClassName] } ?? []) + classes
            let allowed = names.isEmpty ? "only the value classes" : names.joined(separator: ", ")
            throw TransformerError.unexpectedClass(archivedClass.name, at: path, allowed: allowed)
        }
        let node = storage.table.nodes[index]
        return ArchivedFields(
            keys: storage.table.keys(of: node),
            values: storage.table.values(of: node),
            areOfObject: true,
            mayHaveBareKey: (named?.archiveVersion ?? 0) == 0
        )
    }
}

extension ArchiveDecoder {
    /// The version of the object that is being decoded.
    var archivedVersion: Int? {
        guard let object = decoding.storage.resolve(index), case let node = decoding.storage.table.nodes[object],
            let field = decoding.storage.table.value(named: ArchivedFields.version, in: node)
        else { return nil }
        return try? decoding.integer(Int.self, field, path: path)
    }
}
