/// A one-way transformer made of one function.
public struct OneWayFunctionTransformer<Value, Encoded>: OneWayTransformer {
    /// What holds of this transformer.
    public let traits: TransformerTraits
    private let encoding: @Sendable (Value) throws -> Encoded

    /// Makes a one-way transformer of a function.
    ///
    /// - Parameters:
    ///   - traits: What holds of the function; by default that equal values give equal encoded forms.
    ///   - encode: From the value to the encoded form.
    public init(traits: TransformerTraits = .plain, encode: @escaping @Sendable (Value) throws -> Encoded) {
        self.traits = traits
        encoding = encode
    }

    /// Calls the function.
    public func encode(_ value: Value, in context: TransformContext) throws -> Encoded {
        try encoding(value)
    }
}
