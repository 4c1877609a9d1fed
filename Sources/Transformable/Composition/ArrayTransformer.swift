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
