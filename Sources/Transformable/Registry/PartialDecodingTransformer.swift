/// A transformer that can decode a part of a value even if the whole cannot be represented.
///
/// For example, an object graph with cycles has parts that can be represented, but the graph as a whole cannot. The
/// command `decode --extract users.0.name` uses this protocol if decoding the whole fails.
public protocol PartialDecodingTransformer: Transformer {
    /// Decodes a part.
    ///
    /// - Parameters:
    ///   - names: The path of the part: names of members and indexes of elements, from the outside in.
    ///   - encoded: The encoded form of the whole.
    ///   - context: The context of the value.
    /// - Returns: The part, or nil if there is none or it cannot be represented either.
    /// - Throws: ``TransformerError`` if the encoded form is invalid.
    func decodePart(named names: [String], of encoded: Encoded, in context: TransformContext) throws -> Value?
}

extension ResolvedTransformer {
    /// Decodes a part of a value whose type is known only at run time.
    ///
    /// - Parameters:
    ///   - names: The path of the part: names of members and indexes of elements, from the outside in.
    ///   - encoded: The encoded form of the whole, of type ``encodedType``.
    ///   - context: The context of the value.
    /// - Returns: The part, of type ``valueType``, or nil if there is none or the first stage does not conform to
    ///   ``PartialDecodingTransformer``.
    /// - Throws: ``TransformerError`` if the encoded form is invalid.
    public func decodePart(
        named names: [String],
        ofAny encoded: Any,
        in context: TransformContext
    ) throws -> Any? {
        guard let first = stages.first?.registered as? any PartialDecodingTransformer else { return nil }
        let encoded = try stages.dropFirst().reversed()
            .reduce(encoded) { encoded, stage in
                guard let transformer = stage.transformer as? any Transformer else {
                    throw TransformerError.notReversible(expression, culprit: stage.name)
                }
                return try transformer.decode(any: encoded, in: context)
            }
        return try first.decodePart(named: names, ofAny: encoded, in: context)
    }
}

extension Transformer {
    fileprivate func decode(any encoded: Any, in context: TransformContext) throws -> Any {
        guard let encoded = encoded as? Encoded else {
            throw TransformerError.unsupportedType(type(of: encoded), expected: Encoded.self)
        }
        return try decode(encoded, in: context)
    }
}

extension PartialDecodingTransformer {
    fileprivate func decodePart(named names: [String], ofAny encoded: Any, in context: TransformContext) throws -> Any?
    {
        guard let encoded = encoded as? Encoded else {
            throw TransformerError.unsupportedType(type(of: encoded), expected: Encoded.self)
        }
        return try decodePart(named: names, of: encoded, in: context)
    }
}
