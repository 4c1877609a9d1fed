/// A transformer that leaves every value unchanged, for use in compositions and tests.
public struct IdentityTransformer<Value>: Transformer {
    /// Creates an identity transformer.
    public init() {}

    /// The identity is not canonical, because it preserves differences between equal values, such as the normalization
    /// of a text or the sign of 0.
    public var traits: TransformerTraits { [.deterministic, .ordered] }

    /// Returns the value.
    public func encode(_ value: Value, in context: TransformContext) -> Value { value }

    /// Returns the value.
    public func decode(_ encoded: Value, in context: TransformContext) -> Value { encoded }
}
