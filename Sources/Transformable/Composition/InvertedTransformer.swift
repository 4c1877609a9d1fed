/// A transformer used the other way round: what it decodes is encoded, and the reverse.
public struct InvertedTransformer<Base: Transformer>: Transformer {
    /// The transformer as it was; the inverse of the inverse.
    public let inverted: Base

    /// Only what holds of decoding as well survives inversion.
    public var traits: TransformerTraits {
        inverted.traits.intersection([.deterministic, .contextual, .confidential, .lossy])
    }

    /// Decodes by the original.
    public func encode(_ value: Base.Encoded, in context: TransformContext) throws -> Base.Value {
        try inverted.decode(value, in: context)
    }

    /// Encodes by the original.
    public func decode(_ encoded: Base.Value, in context: TransformContext) throws -> Base.Encoded {
        try inverted.encode(encoded, in: context)
    }
}

extension Transformer {
    /// This transformer used the other way round.
    public var inverted: InvertedTransformer<Self> {
        InvertedTransformer(inverted: self)
    }
}
