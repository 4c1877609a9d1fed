/// A type-erased one-way transformer.
public struct AnyOneWayTransformer<Value, Encoded>: OneWayTransformer {
    private let base: any OneWayTransformer<Value, Encoded>

    /// Creates a type-erased transformer that wraps the given transformer.
    public init(_ base: any OneWayTransformer<Value, Encoded>) {
        self.base = base
    }

    /// The traits of the wrapped transformer.
    public var traits: TransformerTraits { base.traits }

    /// Encodes a value with the wrapped transformer.
    public func encode(_ value: Value, in context: TransformContext) throws -> Encoded {
        try base.encode(value, in: context)
    }

    /// Returns the candidates of the wrapped transformer.
    public func candidates(for value: Value, in context: TransformContext) throws -> [Encoded] {
        try base.candidates(for: value, in: context)
    }
}
