/// A transformer that decodes one part of a value by itself, where the whole is no value: of a graph whose objects
/// refer back to one another there are parts, and no end.
///
/// The command line's `decode --extract users.0.name` falls back on it.
public protocol PartDecoding: Transformer {
    /// Decodes a part.
    ///
    /// - Parameters:
    ///   - names: Names of members and positions of elements, from the whole inwards.
    ///   - encoded: The encoded form of the whole.
    ///   - context: Where the value lives.
    /// - Returns: The part; nil if there is none, or if it is no value either.
    /// - Throws: ``TransformerError``.
    func decodePart(named names: [String], of encoded: Encoded, in context: TransformContext) throws -> Value?
}

extension ResolvedTransformer {
    /// Decodes a part of a value whose type is known at run time only.
    ///
    /// - Parameters:
    ///   - names: Names of members and positions of elements, from the whole inwards.
    ///   - encoded: An encoded form of the whole, of ``encodedType``.
    ///   - context: Where the value lives.
    /// - Returns: The part, of ``valueType``; nil if there is none, or if the first stage is no ``PartDecoding``.
    /// - Throws: ``TransformerError``.
    public func decodePart(
        named names: [String],
        ofAny encoded: Any,
        in context: TransformContext
    ) throws -> Any? {
        guard let first = stages.first?.registered as? any PartDecoding else { return nil }
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

extension PartDecoding {
    fileprivate func decodePart(named names: [String], ofAny encoded: Any, in context: TransformContext) throws -> Any?
    {
        guard let encoded = encoded as? Encoded else {
            throw TransformerError.unsupportedType(type(of: encoded), expected: Encoded.self)
        }
        return try decodePart(named: names, of: encoded, in: context)
    }
}
