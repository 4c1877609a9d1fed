internal import ArgumentParser
internal import Transformable

/// `explain`: shows what an expression does, stage by stage.
struct ExplainCommand<Keys: KeySource>: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "explain",
            abstract: "Explain an expression, stage by stage.",
            discussion: Help.lines(
                """
                Shows the canonical form, the types between the stages, the signature, and notes about using \
                the expression.
                """,
                examples: [
                    "explain 'jpeg(quality: 85) | sealed'",
                    "explain 'rect | gzip' --json",
                    "explain 'text | blind-index(bits: 16)' --values 100000",
                ]
            )
        )
    }

    @OptionGroup var expression: ExpressionArgument
    @Option(
        help: ArgumentHelp(
            "The expected number of distinct values, to judge the bits of a blind index.",
            valueName: "number"
        )
    )
    var values: Int?

    @OptionGroup var listing: ListingOptions
    @OptionGroup var keys: Keys

    func validate() throws {
        if let values, values < 0 { throw ValidationError("--values must not be negative") }
    }

    func run() throws {
        let session = Session.current
        let explanation = try keys.registry(session).explain(expression.expression, distinctValues: values)
        if listing.json {
            try session.print(json: explanation)
        } else {
            try session.print(explanation.description)
        }
    }
}

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
