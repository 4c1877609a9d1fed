/// A request to a family for a transformer of a particular Swift type.
public struct FamilyRequest: Sendable {
    /// The requested value type, or else the family's default.
    ///
    /// Nil if neither is known.
    public let valueType: Any.Type?
    let registry: TransformerRegistry

    /// Resolves an expression that is an argument of the family.
    ///
    /// - Parameters:
    ///   - expression: The inner expression.
    ///   - valueType: The type of its values, or nil for the expression's own type.
    /// - Returns: The transformer, which can end in any type.
    /// - Throws: ``TransformerError`` if the expression cannot be resolved.
    public func resolve(
        _ expression: TransformerExpression,
        for valueType: Any.Type? = nil
    ) throws -> ResolvedTransformer {
        try registry.resolve(expression, for: valueType, ending: .anything)
    }
}
