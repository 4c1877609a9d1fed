/// A transformer that swaps encoding and decoding of another one.
public struct InvertedTransformer<Base: Transformer>: Transformer {
    /// The original transformer, which is the inverse of this one.
    public let inverted: Base

    /// The traits that also apply to decoding.
    public var traits: TransformerTraits {
        inverted.traits.intersection([.deterministic, .contextual, .confidential, .lossy])
    }

    /// Decodes with the original transformer.
    public func encode(_ value: Base.Encoded, in context: TransformContext) throws -> Base.Value {
        try inverted.decode(value, in: context)
    }

    /// Encodes with the original transformer.
    public func decode(_ encoded: Base.Value, in context: TransformContext) throws -> Base.Encoded {
        try inverted.encode(encoded, in: context)
    }
}

extension Transformer {
    /// A transformer that swaps encoding and decoding.
    public var inverted: InvertedTransformer<Self> {
        InvertedTransformer(inverted: self)
    }
}
