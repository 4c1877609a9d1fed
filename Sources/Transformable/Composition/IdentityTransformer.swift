/// Leaves every value as it is: a neutral element for composition, and a stand-in in tests.
public struct IdentityTransformer<Value>: Transformer {
    /// Makes the identity.
    public init() {}

    /// Not canonical: what equal values differ in, such as a text's normalization or the sign of 0, it keeps.
    public var traits: TransformerTraits { [.deterministic, .ordered] }

    /// Gives the value.
    public func encode(_ value: Value, in context: TransformContext) -> Value { value }

    /// Gives the value.
    public func decode(_ encoded: Value, in context: TransformContext) -> Value { encoded }
}
