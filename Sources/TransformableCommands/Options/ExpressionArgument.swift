internal import ArgumentParser
internal import Transformable

/// The expression that a verb works with.
struct ExpressionArgument: ParsableArguments {
    @Argument(
        help: "A transformer's name, with arguments where it takes some; stages are joined by “|”.",
        completion: .transformers
    )
    var expression: String

    /// Resolves the expression.
    ///
    /// - Parameter registry: The transformers.
    /// - Returns: A codec between human forms.
    /// - Throws: `TransformerError`, or ``CommandError/Code/usage`` where there is no human form.
    func codec(in registry: TransformerRegistry) throws -> ValueCodec {
        try ValueCodec(expression, in: registry)
    }
}

extension CompletionKind {
    /// The names of the transformers that there are.
    static var transformers: Self {
        .custom { _, _, _ in
            let registry = try? Session.current.keylessRegistry
            return registry?.registrations.map(\.name.rawValue) ?? []
        }
    }
}
