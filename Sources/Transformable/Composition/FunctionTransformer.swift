/// A transformer that is defined by two functions.
public struct FunctionTransformer<Value, Encoded>: Transformer {
    /// The traits of the functions.
    public let traits: TransformerTraits
    private let encoding: @Sendable (Value) throws -> Encoded
    private let decoding: @Sendable (Encoded) throws -> Value

    /// Creates a transformer from an encoding function and its inverse.
    ///
    /// - Parameters:
    ///   - traits: The traits of the functions. By default, equal values give equal encoded forms.
    ///   - encode: A function that converts a value to its encoded form.
    ///   - decode: A function that converts an encoded form to its value. It throws an error if `encode` never returns
    ///     that form.
    public init(
        traits: TransformerTraits = .plain,
        encode: @escaping @Sendable (Value) throws -> Encoded,
        decode: @escaping @Sendable (Encoded) throws -> Value
    ) {
        self.traits = traits
        encoding = encode
        decoding = decode
    }

    /// Creates a transformer from a function that is its own inverse.
    ///
    /// - Parameters:
    ///   - traits: The traits of the function. By default, equal values give equal encoded forms.
    ///   - bothWays: A function that returns the original value when it is applied twice.
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

/// A one-way transformer that is defined by a function.
public struct OneWayFunctionTransformer<Value, Encoded>: OneWayTransformer {
    /// The traits of the function.
    public let traits: TransformerTraits
    private let encoding: @Sendable (Value) throws -> Encoded

    /// Creates a one-way transformer from a function.
    ///
    /// - Parameters:
    ///   - traits: The traits of the function. By default, equal values give equal encoded forms.
    ///   - encode: A function that converts a value to its encoded form.
    public init(traits: TransformerTraits = .plain, encode: @escaping @Sendable (Value) throws -> Encoded) {
        self.traits = traits
        encoding = encode
    }

    /// Calls the function.
    public func encode(_ value: Value, in context: TransformContext) throws -> Encoded {
        try encoding(value)
    }
}
