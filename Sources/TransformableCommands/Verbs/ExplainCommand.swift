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
                ]
            )
        )
    }

    @OptionGroup var expression: ExpressionArgument
    @OptionGroup var listing: ListingOptions
    @OptionGroup var keys: KeyOptions

    func run() throws {
        let session = Session.current
        let explanation = try keys.registry(session).explain(expression.expression)
        if listing.json {
            try session.print(json: explanation)
        } else {
            try session.print(explanation.description)
        }
    }
}
