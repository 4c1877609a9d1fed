/// What a family is asked for: a transformer of one Swift type.
public struct FamilyRequest: Sendable {
    /// The type of the values: the one asked for, else the family's default; nil if neither is known.
    public let valueType: Any.Type?
    let registry: TransformerRegistry

    /// Resolves an expression that the family has as an argument.
    ///
    /// - Parameters:
    ///   - expression: The inner expression.
    ///   - valueType: The type of its values; nil takes the expression's own.
    /// - Returns: The transformer, ending in any type.
    /// - Throws: ``TransformerError``.
    public func resolve(
        _ expression: TransformerExpression,
        for valueType: Any.Type? = nil
    ) throws -> ResolvedTransformer {
        try registry.resolve(expression, for: valueType, ending: .anything)
    }
}
