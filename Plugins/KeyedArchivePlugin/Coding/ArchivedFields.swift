internal import Transformable
internal import _PropertyLists

/// The keys and values that a keyed container is read from: those of a dictionary, or an object's fields.
struct ArchivedFields {
    let keys: ArraySlice<UInt32>
    let values: ArraySlice<UInt32>
    /// Whether they are an object's, which has fields of the archiver's own.
    let areOfObject: Bool

    /// Where the version of a type is kept that has one.
    static let version = "archiveVersion"

    /// How a key is written.
    func text(_ key: String) -> String { areOfObject ? key.escapedFieldName : key }

    /// The key that was written so; nil for a field of the archiver's own.
    func name(_ text: String) -> String? {
        guard areOfObject else { return text }
        if text == Self.version { return nil }
        guard text.hasPrefix("$") else { return text }
        return text.hasPrefix("$$") ? String(text.dropFirst()) : nil
    }
}

extension ArchiveDecoding {
    /// The fields of a dictionary, or of an object whose class is the type's.
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
            let allowed = names.isEmpty ? "none but the value classes" : names.joined(separator: ", ")
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
    /// The version that the object states which is being decoded.
    var archivedVersion: Int? {
        guard let object = decoding.storage.resolve(index), case let node = decoding.storage.table.nodes[object],
            let field = decoding.storage.table.value(named: ArchivedFields.version, in: node)
        else { return nil }
        return try? decoding.integer(Int.self, field, path: path)
    }
}
