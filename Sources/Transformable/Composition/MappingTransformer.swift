/// A transformer that looks values up in a table.
///
/// Defaults, if given, are used for values and encoded forms that the table does not contain. Without a default, they
/// cause an error. For an attribute, do not give only a default encoded form: values that are encoded to it could not be
/// decoded again, unless the table contains it.
public struct MappingTransformer<Value: Hashable & Sendable, Encoded: Hashable & Sendable>: Transformer {
    private let encodedForms: [Value: Encoded]
    private let values: [Encoded: Value]
    private let defaultValue: Value?
    private let defaultEncoded: Encoded?

    /// Creates a mapping from a dictionary literal.
    ///
    /// - Precondition: Each value and each encoded form occurs only once.
    ///
    /// - Parameters:
    ///   - pairs: Values and their encoded forms.
    ///   - defaultValue: The value for an unknown encoded form, or nil to throw an error.
    ///   - defaultEncoded: The encoded form of an unknown value, or nil to throw an error.
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

    /// Creates a mapping from pairs that are only known at run time.
    ///
    /// - Parameters:
    ///   - pairs: Values and their encoded forms.
    ///   - defaultValue: The value for an unknown encoded form, or nil to throw an error.
    ///   - defaultEncoded: The encoded form of an unknown value, or nil to throw an error.
    /// - Throws: ``TransformerError`` with the code ``TransformerError/Code/invalidArgument`` if a value or an encoded
    ///   form occurs more than once.
    public init(
        validating pairs: [(Value, Encoded)],
        defaultValue: Value? = nil,
        defaultEncoded: Encoded? = nil
    ) throws(TransformerError) {
        encodedForms = Dictionary(pairs, uniquingKeysWith: { first, _ in first })
        values = Dictionary(pairs.map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
        guard encodedForms.count == pairs.count, values.count == pairs.count else {
            throw TransformerError(
                .invalidArgument,
                "a mapping must contain each value and each encoded form only once"
            )
        }
        self.defaultValue = defaultValue
        self.defaultEncoded = defaultEncoded
    }

    /// The traits of the mapping.
    ///
    /// It is lossy if there is a default encoded form.
    public var traits: TransformerTraits {
        defaultEncoded == nil ? .plain : [.deterministic, .canonical, .lossy]
    }

    /// Looks up the encoded form of a value.
    public func encode(_ value: Value, in context: TransformContext) throws(TransformerError) -> Encoded {
        guard let encoded = encodedForms[value] ?? defaultEncoded else {
            throw .invalidValue("the mapping has no encoded form for “\(value)”")
        }
        return encoded
    }

    /// Looks up the value of an encoded form.
    public func decode(_ encoded: Encoded, in context: TransformContext) throws(TransformerError) -> Value {
        guard let value = values[encoded] ?? defaultValue else {
            throw .invalidData("the mapping has no value for “\(encoded)”")
        }
        return value
    }
}
