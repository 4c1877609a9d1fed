internal import ArgumentParser
internal import Transformable

/// The expression that a command works with.
struct ExpressionArgument: ParsableArguments {
    @Argument(
        help: "The name of a transformer, with any arguments in parentheses; separate stages with “|”.",
        completion: .transformers
    )
    var expression: String

    /// Resolves the expression.
    ///
    /// - Parameter registry: The transformers.
    /// - Returns: A codec between human-readable forms.
    /// - Throws: `TransformerError` if the expression is invalid, or ``CommandError`` with the code
    ///   ``CommandError/Code/usage`` if its values have no human-readable form.
    func codec(in registry: TransformerRegistry) throws -> ValueCodec {
        try ValueCodec(expression, in: registry)
    }
}

extension CompletionKind {
    /// The names of the registered transformers.
    static var transformers: Self {
        .custom { _, _, _ in
            let registry = try? Session.current.keylessRegistry
            return registry?.registrations.map(\.name.rawValue) ?? []
        }
    }
}
