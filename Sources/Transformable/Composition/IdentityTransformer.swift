/// Leaves every value as it is: a neutral element for composition, and a stand-in in tests.
public struct IdentityTransformer<Value>: Transformer {
    public init() {}

    public var traits: TransformerTraits { [.deterministic, .canonical, .ordered] }

    public func encode(_ value: Value, in context: TransformContext) -> Value { value }

    public func decode(_ encoded: Value, in context: TransformContext) -> Value { encoded }
}
