internal import Transformable

/// The arguments of `map`, from which a transformer of the right types is created.
struct MappingTable {
    var pairs: [MappingPair]
    var defaultValue: MappingTerm?
    var defaultEncoded: MappingTerm?

    /// Returns the transformer for a value type.
    ///
    /// Without one, values are `String` or `Int64`, depending on the pairs.
    func transformer(for type: Any.Type?) throws(TransformerError) -> any OneWayTransformer {
        let values = pairs.map(\.value) + [defaultValue].compactMap { $0 }
        if values.allSatisfy({ $0.text != nil }) {
            return try transformer { $0.text }
        }
        guard values.allSatisfy({ $0.integer != nil }) else {
            throw TransformerError(.invalidArgument, "the values of a map must be either all text or all integers")
        }
        guard let type = type as? any (FixedWidthInteger & Sendable).Type else {
            return try transformer { $0.integer }
        }
        return try integerTransformer(for: type)
    }

    private func integerTransformer<Value: FixedWidthInteger & Sendable>(
        for type: Value.Type
    ) throws(TransformerError) -> any OneWayTransformer {
        try transformer { term in term.integer.flatMap { Value(exactly: $0) } }
    }

    private func transformer<Value: Hashable & Sendable>(
        _ read: (MappingTerm) -> Value?
    ) throws(TransformerError) -> any OneWayTransformer {
        let encoded = pairs.map(\.encoded) + [defaultEncoded].compactMap { $0 }
        if encoded.allSatisfy({ $0.text != nil }) {
            return try transformer(read) { $0.text }
        }
        guard encoded.allSatisfy({ $0.integer != nil }) else {
            throw TransformerError(
                .invalidArgument,
                "the encoded forms of a map must be either all text or all integers"
            )
        }
        return try transformer(read) { $0.integer }
    }

    private func transformer<Value: Hashable & Sendable, Encoded: Hashable & Sendable>(
        _ readValue: (MappingTerm) -> Value?,
        _ readEncoded: (MappingTerm) -> Encoded?
    ) throws(TransformerError) -> any OneWayTransformer {
        var typed: [(Value, Encoded)] = []
        for pair in pairs {
            guard let value = readValue(pair.value), let encoded = readEncoded(pair.encoded) else {
                throw TransformerError(.invalidArgument, "a value of the map is not of type \(Value.self)")
            }
            typed.append((value, encoded))
        }
        return try MappingTransformer(
            validating: typed,
            defaultValue: defaultValue.flatMap(readValue),
            defaultEncoded: defaultEncoded.flatMap(readEncoded)
        )
    }
}
