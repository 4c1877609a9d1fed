/// A transformer that is applied to each value of a dictionary.
///
/// Keys stay the same, and errors include the key.
public struct DictionaryTransformer<Key: Hashable, Base: OneWayTransformer>: OneWayTransformer {
    let base: Base

    /// The traits of the base transformer, except ``TransformerTraits/ordered``.
    public var traits: TransformerTraits { base.traits.subtracting(.ordered) }

    /// Encodes each value.
    public func encode(_ values: [Key: Base.Value], in context: TransformContext) throws -> [Key: Base.Encoded] {
        try Dictionary(
            uniqueKeysWithValues: values.map { key, value in
                (key, try at("key “\(key)”") { try base.encode(value, in: context) })
            }
        )
    }
}

extension DictionaryTransformer: Transformer where Base: Transformer {
    /// Decodes each value.
    public func decode(_ encoded: [Key: Base.Encoded], in context: TransformContext) throws -> [Key: Base.Value] {
        try Dictionary(
            uniqueKeysWithValues: encoded.map { key, encoded in
                (key, try at("key “\(key)”") { try base.decode(encoded, in: context) })
            }
        )
    }

    /// Returns whether the base transformer considers all values unchanged.
    public func isUnchanged(
        _ values: [Key: Base.Value],
        since encoded: [Key: Base.Encoded],
        in context: TransformContext
    ) throws -> Bool {
        guard values.count == encoded.count else { return false }
        return try values.allSatisfy { key, value in
            guard let encoded = encoded[key] else { return false }
            return try at("key “\(key)”") { try base.isUnchanged(value, since: encoded, in: context) }
        }
    }
}

extension OneWayTransformer {
    /// Returns a transformer that applies this one to each value of a dictionary.
    ///
    /// - Parameter key: The type of the dictionary's keys, which stay the same.
    /// - Returns: A transformer of dictionaries.
    public func ofDictionary<Key: Hashable>(keyedBy key: Key.Type) -> DictionaryTransformer<Key, Self> {
        DictionaryTransformer(base: self)
    }
}
