/// An expression whose names, arguments, and types have been checked.
///
/// A ``TransformerRegistry`` resolves expressions. The types are known only at run time.
public struct ResolvedTransformer: Sendable {
    /// The expression in canonical form: arguments are in declared order, and defaults are omitted.
    public let expression: TransformerExpression
    /// The stages, in the order in which they encode, including implied conversions of text to UTF-8.
    public let stages: [ResolvedStage]
    /// The signature, which determines whether stored bytes can be read.
    public let signature: TransformerSignature
    /// All stages combined.
    ///
    /// It is a ``Transformer`` if ``isReversible`` is true.
    public let transformer: any OneWayTransformer
    /// The stages that process large values piece by piece, or nil if the last stage cannot.
    public let streamed: StreamedStages?
    /// The human-readable form of the values, or nil if neither the registration nor the type has one.
    public let form: AnyHumanForm?
    /// The form that the values have in programs that do not know their type, such as the command line.
    ///
    /// It differs from ``form`` if the first stage belongs to a family, and if the type is not the family's default.
    package let untypedForm: AnyHumanForm?

    /// The type of the values.
    public var valueType: Any.Type { transformer.valueType }
    /// The type of the encoded form.
    public var encodedType: Any.Type { transformer.encodedType }
    /// The traits of all stages combined.
    public var traits: TransformerTraits { transformer.traits }
    /// Whether all stages can decode.
    public var isReversible: Bool { transformer is any Transformer }
    /// The transformers that the stages are made of, in the order in which they encode.
    package var components: [any OneWayTransformer] { transformer.components }

    /// Returns the transformer with static types.
    ///
    /// - Parameters:
    ///   - value: The type of the values.
    ///   - encoded: The type of the encoded form.
    /// - Returns: The transformer.
    /// - Throws: ``TransformerError`` with the code ``TransformerError/Code/notReversible`` if a stage can only encode,
    ///   or ``TransformerError/Code/unsupportedType`` if the types differ.
    public func reversible<Value, Encoded>(
        from value: Value.Type,
        to encoded: Encoded.Type
    ) throws(TransformerError) -> any Transformer<Value, Encoded> {
        guard isReversible else {
            throw .notReversible(expression, culprit: stages.first { !$0.isReversible }?.name)
        }
        guard let typed = transformer as? any Transformer<Value, Encoded> else {
            throw .unsupportedType(valueType, expected: value)
        }
        return typed
    }

    /// Encodes a value whose type is known only at run time.
    ///
    /// - Parameters:
    ///   - value: A value of type ``valueType``.
    ///   - context: The context of the value.
    /// - Returns: The encoded form, of type ``encodedType``.
    /// - Throws: ``TransformerError`` if the value cannot be encoded.
    public func encode(any value: Any, in context: TransformContext) throws -> Any {
        func encode<Base: OneWayTransformer>(_ base: Base) throws -> Any {
            guard let value = value as? Base.Value else {
                throw TransformerError.unsupportedType(type(of: value), expected: Base.Value.self)
            }
            return try base.encode(value, in: context)
        }
        return try encode(transformer)
    }

    /// Decodes an encoded form whose type is known only at run time.
    ///
    /// - Parameters:
    ///   - encoded: An encoded form, of type ``encodedType``.
    ///   - context: The context of the value.
    /// - Returns: The value, of type ``valueType``.
    /// - Throws: ``TransformerError`` if the encoded form is invalid, with the code
    ///   ``TransformerError/Code/notReversible`` if a stage can only encode.
    public func decode(any encoded: Any, in context: TransformContext) throws -> Any {
        func decode<Base: Transformer>(_ base: Base) throws -> Any {
            guard let encoded = encoded as? Base.Encoded else {
                throw TransformerError.unsupportedType(type(of: encoded), expected: Base.Encoded.self)
            }
            return try base.decode(encoded, in: context)
        }
        guard let transformer = transformer as? any Transformer else {
            throw TransformerError.notReversible(expression, culprit: stages.first { !$0.isReversible }?.name)
        }
        return try decode(transformer)
    }
}

/// A stage of a resolved expression.
public struct ResolvedStage: Sendable {
    /// The stage in canonical form.
    public let stage: TransformerExpression.Stage
    /// The stage as it appears in a signature: with its version, and with reading arguments including defaults.
    public let signed: TransformerExpression.Stage
    /// The transformer.
    public let transformer: any OneWayTransformer
    /// The transformer as created by its registration, which does not add its name to errors.
    public var registered: any OneWayTransformer { (transformer as? any RegisteredStage)?.registered ?? transformer }
    /// Whether the stage is not written in the expression: a conversion of text to UTF-8 where bytes are needed.
    public let isImplied: Bool

    /// The name of the transformer.
    public var name: TransformerName { stage.name }
    /// The type that the stage takes.
    public var valueType: Any.Type { transformer.valueType }
    /// The type that the stage produces.
    public var encodedType: Any.Type { transformer.encodedType }
    /// The traits of the stage.
    public var traits: TransformerTraits { transformer.traits }
    /// Whether the stage can decode.
    public var isReversible: Bool { transformer is any Transformer }
}

extension OneWayTransformer {
    fileprivate var valueType: Any.Type { Value.self }
    fileprivate var encodedType: Any.Type { Encoded.self }
}
