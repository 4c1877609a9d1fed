/// A transformer of optional values: nil stays nil, and the base transformer never sees it.
public struct OptionalTransformer<Base: OneWayTransformer>: OneWayTransformer {
    let base: Base

    /// What holds of this transformer.
    public var traits: TransformerTraits { base.traits }

    /// Encodes the value, if there is one.
    public func encode(_ value: Base.Value?, in context: TransformContext) throws -> Base.Encoded? {
        try value.map { try base.encode($0, in: context) }
    }

    /// The base transformer's candidates; nil is found as nil.
    public func candidates(for value: Base.Value?, in context: TransformContext) throws -> [Base.Encoded?] {
        try value.map { try base.candidates(for: $0, in: context) } ?? [nil]
    }
}

extension OptionalTransformer: Transformer where Base: Transformer {
    /// Decodes the value, if there is one.
    public func decode(_ encoded: Base.Encoded?, in context: TransformContext) throws -> Base.Value? {
        try encoded.map { try base.decode($0, in: context) }
    }

    /// Asks the base transformer; nil is unchanged since nil.
    public func isUnchanged(_ value: Base.Value?, since encoded: Base.Encoded?, in context: TransformContext) throws
        -> Bool
    {
        guard let value, let encoded else { return value == nil && encoded == nil }
        return try base.isUnchanged(value, since: encoded, in: context)
    }
}

extension OneWayTransformer {
    /// This transformer for optional values: nil stays nil.
    public var lifted: OptionalTransformer<Self> {
        OptionalTransformer(base: self)
    }
}
