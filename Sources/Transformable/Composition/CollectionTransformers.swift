/// A transformer that is applied to each element of an array.
///
/// Errors include the index of the element.
public struct ArrayTransformer<Base: OneWayTransformer>: OneWayTransformer {
    let base: Base

    /// The traits of the base transformer, except ``TransformerTraits/ordered``.
    public var traits: TransformerTraits { base.traits.subtracting(.ordered) }

    /// Encodes each element.
    public func encode(_ values: [Base.Value], in context: TransformContext) throws -> [Base.Encoded] {
        try values.enumerated()
            .map { index, value in
                try at("index \(index)") { try base.encode(value, in: context) }
            }
    }

    /// Returns every combination of the candidates of the elements.
    public func candidates(for values: [Base.Value], in context: TransformContext) throws -> [[Base.Encoded]] {
        let candidates = try values.enumerated()
            .map { index, value in
                try at("index \(index)") { try base.candidates(for: value, in: context) }
            }
        return try combinations(of: candidates)
    }
}

/// Returns every combination that has one candidate of each element.
///
/// An element has several candidates only while keys are being rotated.
private func combinations<Encoded>(of candidates: [[Encoded]]) throws(TransformerError) -> [[Encoded]] {
    var combinations: [[Encoded]] = [[]]
    for choices in candidates {
        guard combinations.count * choices.count <= 4096 else {
            throw .limitExceeded("the \(candidates.count) elements have too many encoded forms to search for")
        }
        if choices.count == 1 {
            for index in combinations.indices { combinations[index].append(choices[0]) }
        } else {
            combinations = combinations.flatMap { first in choices.map { first + [$0] } }
        }
    }
    return combinations
}

extension ArrayTransformer: CompositeTransformer {
    package var parts: [any OneWayTransformer] { [base] }
}

extension ArrayTransformer: Transformer where Base: Transformer {
    /// Decodes each element.
    public func decode(_ encoded: [Base.Encoded], in context: TransformContext) throws -> [Base.Value] {
        try encoded.enumerated()
            .map { index, encoded in
                try at("index \(index)") { try base.decode(encoded, in: context) }
            }
    }

    /// Returns whether the base transformer considers all elements unchanged.
    public func isUnchanged(_ values: [Base.Value], since encoded: [Base.Encoded], in context: TransformContext) throws
        -> Bool
    {
        guard values.count == encoded.count else { return false }
        return try zip(values, encoded).enumerated()
            .allSatisfy { index, pair in
                try at("index \(index)") { try base.isUnchanged(pair.0, since: pair.1, in: context) }
            }
    }
}

extension OneWayTransformer {
    /// A transformer that applies this one to each element of an array.
    public var ofArray: ArrayTransformer<Self> {
        ArrayTransformer(base: self)
    }
}

/// A transformer that is applied to each element of a set.
///
/// Encoding throws an error if two elements have the same encoded form, because one of them would be lost.
public struct SetTransformer<Base: OneWayTransformer>: OneWayTransformer
where Base.Value: Hashable, Base.Encoded: Hashable {
    let base: Base

    /// The traits of the base transformer, except ``TransformerTraits/ordered``.
    public var traits: TransformerTraits { base.traits.subtracting(.ordered) }

    /// Encodes each element.
    public func encode(_ values: Set<Base.Value>, in context: TransformContext) throws -> Set<Base.Encoded> {
        let result = Set(try values.map { try base.encode($0, in: context) })
        guard result.count == values.count else {
            throw TransformerError.invalidValue("two elements of the set have the same encoded form")
        }
        return result
    }

    /// Returns every combination of the candidates of the elements.
    public func candidates(for values: Set<Base.Value>, in context: TransformContext) throws -> [Set<Base.Encoded>] {
        try combinations(of: values.map { try base.candidates(for: $0, in: context) })
            .map { Set($0) }
            .filter { $0.count == values.count }
    }
}

extension SetTransformer: CompositeTransformer {
    package var parts: [any OneWayTransformer] { [base] }
}

extension SetTransformer: Transformer where Base: Transformer {
    /// Decodes each element.
    public func decode(_ encoded: Set<Base.Encoded>, in context: TransformContext) throws -> Set<Base.Value> {
        let result = Set(try encoded.map { try base.decode($0, in: context) })
        guard result.count == encoded.count else {
            throw TransformerError.invalidData("two elements of the set decode to the same value")
        }
        return result
    }
}

extension OneWayTransformer where Value: Hashable, Encoded: Hashable {
    /// A transformer that applies this one to each element of a set.
    public var ofSet: SetTransformer<Self> {
        SetTransformer(base: self)
    }
}

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
                (key, try at("key “\(key)”", isSafeToShow: false) { try base.encode(value, in: context) })
            }
        )
    }

    /// Returns every combination of the candidates of the values.
    public func candidates(
        for values: [Key: Base.Value],
        in context: TransformContext
    ) throws -> [[Key: Base.Encoded]] {
        let candidates = try values.map { key, value in
            try at("key “\(key)”", isSafeToShow: false) { try base.candidates(for: value, in: context) }
        }
        return try combinations(of: candidates).map { Dictionary(uniqueKeysWithValues: zip(values.keys, $0)) }
    }
}

extension DictionaryTransformer: CompositeTransformer {
    package var parts: [any OneWayTransformer] { [base] }
}

extension DictionaryTransformer: Transformer where Base: Transformer {
    /// Decodes each value.
    public func decode(_ encoded: [Key: Base.Encoded], in context: TransformContext) throws -> [Key: Base.Value] {
        try Dictionary(
            uniqueKeysWithValues: encoded.map { key, encoded in
                (key, try at("key “\(key)”", isSafeToShow: false) { try base.decode(encoded, in: context) })
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
            return try at("key “\(key)”", isSafeToShow: false) {
                try base.isUnchanged(value, since: encoded, in: context)
            }
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

/// A transformer of optional values.
///
/// Nil stays nil, and all other values are passed to the base transformer.
public struct OptionalTransformer<Base: OneWayTransformer>: OneWayTransformer {
    let base: Base

    /// The traits of the base transformer.
    public var traits: TransformerTraits { base.traits }

    /// Encodes the value, if there is one.
    public func encode(_ value: Base.Value?, in context: TransformContext) throws -> Base.Encoded? {
        try value.map { try base.encode($0, in: context) }
    }

    /// Returns the candidates of the base transformer.
    ///
    /// The only candidate for nil is nil.
    public func candidates(for value: Base.Value?, in context: TransformContext) throws -> [Base.Encoded?] {
        try value.map { try base.candidates(for: $0, in: context) } ?? [nil]
    }

    /// Returns the candidates of the base transformer, and nil if it is one of the values.
    public func candidates(forAnyOf values: [Base.Value?], in context: TransformContext) throws -> [Base.Encoded?] {
        let known = values.compactMap { $0 }
        let candidates: [Base.Encoded?] = try base.candidates(forAnyOf: known, in: context).map { $0 }
        return known.count < values.count ? candidates + [nil] : candidates
    }
}

extension OptionalTransformer: CompositeTransformer {
    package var parts: [any OneWayTransformer] { [base] }
}

extension OptionalTransformer: Transformer where Base: Transformer {
    /// Decodes the value, if there is one.
    public func decode(_ encoded: Base.Encoded?, in context: TransformContext) throws -> Base.Value? {
        try encoded.map { try base.decode($0, in: context) }
    }

    /// Returns whether the base transformer considers the value unchanged.
    ///
    /// A `nil` value is unchanged if it was `nil` before.
    public func isUnchanged(_ value: Base.Value?, since encoded: Base.Encoded?, in context: TransformContext) throws
        -> Bool
    {
        guard let value, let encoded else { return value == nil && encoded == nil }
        return try base.isUnchanged(value, since: encoded, in: context)
    }
}

extension OneWayTransformer {
    /// A transformer that applies this one to optional values.
    ///
    /// Nil stays nil.
    public var lifted: OptionalTransformer<Self> {
        OptionalTransformer(base: self)
    }
}
