/// A type-erased transformer.
public struct AnyTransformer<Value, Encoded>: Transformer {
    private let base: any Transformer<Value, Encoded>

    /// Creates a type-erased transformer that wraps the given transformer.
    public init(_ base: any Transformer<Value, Encoded>) {
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

    /// Decodes an encoded form with the wrapped transformer.
    public func decode(_ encoded: Encoded, in context: TransformContext) throws -> Value {
        try base.decode(encoded, in: context)
    }

    /// Returns whether the wrapped transformer considers the value unchanged.
    public func isUnchanged(_ value: Value, since encoded: Encoded, in context: TransformContext) throws -> Bool {
        try base.isUnchanged(value, since: encoded, in: context)
    }
}

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
