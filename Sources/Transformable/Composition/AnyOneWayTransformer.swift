/// A one-way transformer of known types whose own type is hidden.
public struct AnyOneWayTransformer<Value, Encoded>: OneWayTransformer {
    private let base: any OneWayTransformer<Value, Encoded>

    /// Hides a transformer's type.
    public init(_ base: any OneWayTransformer<Value, Encoded>) {
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
}
