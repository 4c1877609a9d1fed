/// An expression whose names are found, whose arguments are checked and whose stages fit.
///
/// Made by ``TransformerRegistry``; the types are known at run time only.
public struct ResolvedTransformer: Sendable {
    /// The expression in canonical form: arguments in declared order, defaults left out.
    public let expression: TransformerExpression
    /// The stages as they run, implied conversions of text to UTF-8 included.
    public let stages: [ResolvedStage]
    /// What must agree for old bytes to be read.
    public let signature: TransformerSignature
    /// All stages as one; a ``Transformer`` if ``isReversible``.
    public let transformer: any OneWayTransformer
    /// Where the stages begin that take large values in pieces; nil if the last one does not.
    public let streamed: StreamedStages?
    /// How a person gives and sees the value; nil if neither the registration nor the type says.
    public let form: AnyHumanForm?

    /// The type of the values.
    public var valueType: Any.Type { transformer.valueType }
    /// The type of the encoded form.
    public var encodedType: Any.Type { transformer.encodedType }
    /// What holds of all stages together.
    public var traits: TransformerTraits { transformer.traits }
    /// Whether every stage can decode.
    public var isReversible: Bool { transformer is any Transformer }

    /// The transformer with its types.
    ///
    /// - Parameters:
    ///   - value: The type of the values.
    ///   - encoded: The type of the encoded form.
    /// - Returns: The transformer.
    /// - Throws: ``TransformerError`` with ``TransformerError/Code/notReversible`` or
    ///   ``TransformerError/Code/unsupportedType``.
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

    /// Encodes a value whose type is known at run time only.
    ///
    /// - Parameters:
    ///   - value: A value of ``valueType``.
    ///   - context: Where the value lives.
    /// - Returns: The encoded form, of ``encodedType``.
    /// - Throws: ``TransformerError``.
    public func encode(any value: Any, in context: TransformContext) throws -> Any {
        func encode<Base: OneWayTransformer>(_ base: Base) throws -> Any {
            guard let value = value as? Base.Value else {
                throw TransformerError.unsupportedType(type(of: value), expected: Base.Value.self)
            }
            return try base.encode(value, in: context)
        }
        return try encode(transformer)
    }

    /// Decodes an encoded form whose type is known at run time only.
    ///
    /// - Parameters:
    ///   - encoded: An encoded form, of ``encodedType``.
    ///   - context: Where the value lives.
    /// - Returns: The value, of ``valueType``.
    /// - Throws: ``TransformerError``, with ``TransformerError/Code/notReversible`` if a stage only encodes.
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

/// One stage of a resolved expression.
public struct ResolvedStage: Sendable {
    /// The stage in canonical form.
    public let stage: TransformerExpression.Stage
    /// The stage as a signature has it: versions, and reading arguments with their defaults.
    public let signed: TransformerExpression.Stage
    /// The transformer itself.
    public let transformer: any OneWayTransformer
    /// The transformer as its registration makes it, without the name that its failures bear.
    public var registered: any OneWayTransformer { (transformer as? any RegisteredStage)?.registered ?? transformer }
    /// Whether the expression leaves it out: text becoming UTF-8 where bytes are needed.
    public let isImplied: Bool

    /// The name under which it is registered.
    public var name: TransformerName { stage.name }
    /// The type of the values it takes.
    public var valueType: Any.Type { transformer.valueType }
    /// The type of what it gives.
    public var encodedType: Any.Type { transformer.encodedType }
    /// What holds of it.
    public var traits: TransformerTraits { transformer.traits }
    /// Whether it can decode.
    public var isReversible: Bool { transformer is any Transformer }
}

extension OneWayTransformer {
    fileprivate var valueType: Any.Type { Value.self }
    fileprivate var encodedType: Any.Type { Encoded.self }
}
