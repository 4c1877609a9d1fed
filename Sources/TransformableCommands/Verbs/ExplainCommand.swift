internal import ArgumentParser
internal import Transformable

/// `explain`: what an expression does, stage by stage.
struct ExplainCommand: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "explain",
            abstract: "Say what an expression does, stage by stage.",
            discussion: Help.lines(
                "Shows the canonical form, the types between the stages, the signature, and what to know beforehand.",
                examples: [
                    "explain 'jpeg(quality: 85) | sealed'",
                    "explain 'rect | gzip' --json",
                    "explain 'text | blind-index(bits: 16)' --values 100000",
                ]
            )
        )
    }

    @OptionGroup var expression: ExpressionArgument
    @Option(help: ArgumentHelp("How many different values there will be.", valueName: "number"))
    var values: Int?

    @OptionGroup var listing: ListingOptions
    @OptionGroup var keys: KeyOptions

    func validate() throws {
        if let values, values < 0 { throw ValidationError("--values is a number from 0") }
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
