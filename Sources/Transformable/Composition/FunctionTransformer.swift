/// A transformer made of two functions.
public struct FunctionTransformer<Value, Encoded>: Transformer {
    /// What holds of this transformer.
    public let traits: TransformerTraits
    private let encoding: @Sendable (Value) throws -> Encoded
    private let decoding: @Sendable (Encoded) throws -> Value

    /// Makes a transformer of an encoding function and its inverse.
    ///
    /// - Parameters:
    ///   - traits: What holds of the functions; by default that equal values give equal encoded forms.
    ///   - encode: From the value to the encoded form.
    ///   - decode: From the encoded form to the value; it throws for what `encode` never gives.
    public init(
        traits: TransformerTraits = .plain,
        encode: @escaping @Sendable (Value) throws -> Encoded,
        decode: @escaping @Sendable (Encoded) throws -> Value
    ) {
        self.traits = traits
        encoding = encode
        decoding = decode
    }

    /// Makes a transformer of a function that is its own inverse.
    ///
    /// - Parameters:
    ///   - traits: What holds of the function; by default that equal values give equal encoded forms.
    ///   - bothWays: Gives the value back when it is applied twice.
    public init(traits: TransformerTraits = .plain, bothWays: @escaping @Sendable (Value) throws -> Value)
    where Encoded == Value {
        self.init(traits: traits, encode: bothWays, decode: bothWays)
    }

    /// Calls the encoding function.
    public func encode(_ value: Value, in context: TransformContext) throws -> Encoded {
        try encoding(value)
    }

    /// Calls the decoding function.
    public func decode(_ encoded: Encoded, in context: TransformContext) throws -> Value {
        try decoding(encoded)
    }
}
