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
}

extension OptionalTransformer: Transformer where Base: Transformer {
    /// Decodes the value, if there is one.
    public func decode(_ encoded: Base.Encoded?, in context: TransformContext) throws -> Base.Value? {
        try encoded.map { try base.decode($0, in: context) }
    }

    /// Returns whether the base transformer considers the value unchanged.
    ///
    /// Nil is unchanged if it was nil before.
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
