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
