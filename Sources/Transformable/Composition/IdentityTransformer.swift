/// Leaves every value as it is: a neutral element for composition, and a stand-in in tests.
public struct IdentityTransformer<Value>: Transformer {
    /// Makes the identity.
    public init() {}

    /// What holds of this transformer.
    public var traits: TransformerTraits { [.deterministic, .canonical, .ordered] }

    /// Gives the value.
    public func encode(_ value: Value, in context: TransformContext) -> Value { value }

    /// Gives the value.
    public func decode(_ encoded: Value, in context: TransformContext) -> Value { encoded }
}
