/// A transformer of known types whose own type is hidden.
public struct AnyTransformer<Value, Encoded>: Transformer {
    private let base: any Transformer<Value, Encoded>

    /// Hides a transformer's type.
    public init(_ base: any Transformer<Value, Encoded>) {
        self.base = base
    }

    /// What holds of this transformer.
    public var traits: TransformerTraits { base.traits }

    /// Encodes by the hidden transformer.
    public func encode(_ value: Value, in context: TransformContext) throws -> Encoded {
        try base.encode(value, in: context)
    }

    /// Asks the hidden transformer.
    public func candidates(for value: Value, in context: TransformContext) throws -> [Encoded] {
        try base.candidates(for: value, in: context)
    }

    /// Decodes by the hidden transformer.
    public func decode(_ encoded: Encoded, in context: TransformContext) throws -> Value {
        try base.decode(encoded, in: context)
    }

    /// Asks the hidden transformer.
    public func isUnchanged(_ value: Value, since encoded: Encoded, in context: TransformContext) throws -> Bool {
        try base.isUnchanged(value, since: encoded, in: context)
    }
}
