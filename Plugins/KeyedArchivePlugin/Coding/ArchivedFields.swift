internal import Transformable
internal import _PropertyLists

/// The keys and values of a keyed container: the pairs of a dictionary, or the fields of an object.
struct ArchivedFields {
    let keys: ArraySlice<UInt32>
    let values: ArraySlice<UInt32>
    /// Whether they are the fields of an object, which also has fields of the archiver.
    let areOfObject: Bool

    /// The field that stores the version of a type.
    static let version = "archiveVersion"

    /// Returns the name of a field for a key.
    func text(_ key: String) -> String { areOfObject ? key.escapedFieldName : key }

    /// Returns the key for the name of a field, or nil if the field belongs to the archiver.
    func name(_ text: String) -> String? {
        guard areOfObject else { return text }
        if text == Self.version { return nil }
        guard text.hasPrefix("$") else { return text }
        return text.hasPrefix("$$") ? String(text.dropFirst()) : nil
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
            areOfObject: true
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
