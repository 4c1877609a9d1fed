internal import ArgumentParser
internal import Transformable

/// `explain`: shows what an expression does, stage by stage.
struct ExplainCommand<Keys: KeySource>: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "explain",
            abstract: "Explain an expression, stage by stage.",
            discussion: Help.lines(
                "Shows the canonical form, the types between the stages, the signature, and remarks about its use.",
                examples: [
                    "explain 'jpeg(quality: 85) | sealed'",
                    "explain 'rect | gzip' --json",
                    "explain 'text | blind-index(bits: 16)' --values 100000",
                ]
            )
        )
    }

    @OptionGroup var expression: ExpressionArgument
    @Option(help: ArgumentHelp("The expected number of distinct values.", valueName: "number"))
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
