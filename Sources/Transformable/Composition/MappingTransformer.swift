/// A transformer by table: each value has its own encoded form.
///
/// Defaults, where given, stand in for what the table does not hold: without one it is an error.
public struct MappingTransformer<Value: Hashable & Sendable, Encoded: Hashable & Sendable>: Transformer {
    private let encodedForms: [Value: Encoded]
    private let values: [Encoded: Value]
    private let defaultValue: Value?
    private let defaultEncoded: Encoded?

    /// Makes a mapping of the pairs in a dictionary literal.
    ///
    /// - Precondition: No value and no encoded form occurs twice.
    ///
    /// - Parameters:
    ///   - pairs: Values and their encoded forms.
    ///   - defaultValue: What an unknown encoded form decodes to; nil makes it an error.
    ///   - defaultEncoded: What an unknown value encodes to; nil makes it an error.
    public init(
        _ pairs: KeyValuePairs<Value, Encoded>,
        defaultValue: Value? = nil,
        defaultEncoded: Encoded? = nil
    ) {
        do {
            try self.init(validating: pairs.map { $0 }, defaultValue: defaultValue, defaultEncoded: defaultEncoded)
        } catch {
            preconditionFailure(error.message)
        }
    }

    /// Makes a mapping of pairs that come from outside the program.
    ///
    /// - Parameters:
    ///   - pairs: Values and their encoded forms.
    ///   - defaultValue: What an unknown encoded form decodes to; nil makes it an error.
    ///   - defaultEncoded: What an unknown value encodes to; nil makes it an error.
    /// - Throws: ``TransformerError`` with ``TransformerError/Code/invalidArgument`` if a value or an
    ///   encoded form occurs twice.
    public init(
        validating pairs: [(Value, Encoded)],
        defaultValue: Value? = nil,
        defaultEncoded: Encoded? = nil
    ) throws(TransformerError) {
        encodedForms = Dictionary(pairs, uniquingKeysWith: { first, _ in first })
        values = Dictionary(pairs.map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
        guard encodedForms.count == pairs.count, values.count == pairs.count else {
            throw TransformerError(.invalidArgument, "a mapping holds each value and each encoded form once")
        }
        self.defaultValue = defaultValue
        self.defaultEncoded = defaultEncoded
    }

    /// Lossy if several values share the default encoded form.
    public var traits: TransformerTraits {
        defaultEncoded == nil ? .plain : [.deterministic, .canonical, .lossy]
    }

    /// Looks the value up.
    public func encode(_ value: Value, in context: TransformContext) throws(TransformerError) -> Encoded {
        guard let encoded = encodedForms[value] ?? defaultEncoded else {
            throw .invalidValue("the mapping has no encoded form for “\(value)”")
        }
        return encoded
    }

    /// Looks the encoded form up.
    public func decode(_ encoded: Encoded, in context: TransformContext) throws(TransformerError) -> Value {
        guard let value = values[encoded] ?? defaultValue else {
            throw .invalidData("the mapping has no value for “\(encoded)”")
        }
        return value
    }
}
