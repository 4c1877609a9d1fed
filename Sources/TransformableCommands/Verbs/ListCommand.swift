internal import ArgumentParser
internal import Transformable

/// `list`: lists the registered transformers.
struct ListCommand: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "list",
            abstract: "List the transformers.",
            discussion: Help.lines(
                "Give names to show only those transformers, with a full description of their arguments.",
                examples: ["list", "list jpeg sealed", "list --json"]
            )
        )
    }

    @Argument(help: "The names of transformers. By default, all transformers are listed.", completion: .transformers)
    var names: [String] = []

    @OptionGroup var listing: ListingOptions

    func run() throws {
        let session = Session.current
        let registry = try session.keylessRegistry
        let chosen = try names.map { try registry.registration(TransformerName(rawValue: $0)) }
        let shown = (names.isEmpty ? registry.registrations : chosen).map { TransformerSummary($0, in: registry) }
        if listing.json {
            try session.print(json: TransformerListing(plugins: registry.plugins, transformers: shown))
        } else if names.isEmpty {
            try session.print(Self.table(of: shown, from: registry.plugins))
        } else {
            try session.print(shown.map(Self.paragraph).joined(separator: "\n\n"))
        }
    }

    private static func table(of summaries: [TransformerSummary], from plugins: [String]) -> String {
        var table = TextTable(header: ["NAME", "TYPES", "ARGUMENTS", "TRAITS", "SUMMARY"])
        for summary in summaries { table.append(summary.row) }
        let origin = plugins.isEmpty ? "no plugin" : plugins.joined(separator: ", ")
        return (table.lines + ["", "\(summaries.count.counted("transformer")); plugins: \(origin)"])
            .joined(separator: "\n")
    }

    private static func paragraph(_ summary: TransformerSummary) -> String {
        let types = "\(summary.takes ?? "…") to \(summary.gives ?? "…")"
        let direction = summary.isReversible.map { [$0 ? "reversible" : "one-way"] } ?? []
        var lines = ["\(summary.name), version \(summary.version): \(summary.summary)", "  types: \(types)"]
        let traits = direction + summary.traits
        if !traits.isEmpty { lines.append("  traits: \(traits.joined(separator: ", "))") }
        lines += summary.arguments.map { "  \($0.line)" }
        return lines.joined(separator: "\n")
    }
}

/// The output of `list --json`.
private struct TransformerListing: Encodable {
    let plugins: [String]
    let transformers: [TransformerSummary]
}
