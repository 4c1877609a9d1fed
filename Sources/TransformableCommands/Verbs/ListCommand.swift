internal import ArgumentParser
internal import Transformable

/// `list`: lists the registered transformers.
struct ListCommand: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "list",
            abstract: "List the transformers.",
            discussion: Help.lines(
                "Give names to show only those transformers, with their arguments and traits.",
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
        var table = TextTable(header: ["NAME", "TYPES", "SUMMARY"])
        for summary in summaries { table.append([summary.name, summary.types, summary.summary]) }
        let origin = plugins.isEmpty ? "no plugin" : plugins.joined(separator: ", ")
        let count = "\(summaries.count.counted("transformer")); plugins: \(origin)"
        return (table.lines + ["", count, "“list NAME” shows the arguments and traits of a transformer"])
            .joined(separator: "\n")
    }

    private static func paragraph(_ summary: TransformerSummary) -> String {
        let direction = summary.isReversible.map { [$0 ? "reversible" : "one-way"] } ?? []
        var lines = ["\(summary.name), version \(summary.version): \(summary.summary)", "  types: \(summary.types)"]
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

/// A registered transformer, as shown by `list`.
private struct TransformerSummary: Encodable {
    struct Argument: Encodable {
        let label: String
        let type: String
        let role: String
        let isRequired: Bool
        let defaultValue: String?
        let summary: String
    }

    let name: String
    let version: Int
    let summary: String
    let isFamily: Bool
    let arguments: [Argument]
    /// The type that the transformer takes, unless it depends on arguments.
    let takes: String?
    let gives: String?
    let traits: [String]
    let isReversible: Bool?

    init(_ registration: Registration, in registry: TransformerRegistry) {
        let resolved = try? registry.resolve(registration.name.rawValue, ending: .anything)
        name = registration.name.rawValue
        version = registration.version
        summary = registration.summary
        isFamily = registration.isFamily
        arguments = registration.parameters.map(Argument.init)
        takes = (resolved?.valueType ?? registration.valueType).map(typeName)
        gives = resolved.map { typeName($0.encodedType) }
        traits = resolved?.traits.descriptions ?? []
        isReversible = resolved?.isReversible
    }

    /// The types of values and of encoded forms.
    var types: String { "\(takes ?? "…") to \(gives ?? "…")" }
}

extension TransformerSummary.Argument {
    init(_ parameter: ParameterDescription) {
        label = parameter.label
        type = parameter.type
        role = parameter.role.rawValue
        isRequired = parameter.isRequired
        defaultValue = parameter.defaultValue.map { "\($0)" }
        summary = parameter.summary
    }

    /// A line such as “quality: an integer from 0 to 100, by default 85; 0 smallest”.
    var line: String {
        let byDefault = defaultValue.map { ", by default \($0)" } ?? (isRequired ? ", must be given" : "")
        let role = role == ParameterRole.reading.rawValue ? " (needed to read)" : ""
        return "\(label): \(type)\(byDefault)\(role); \(summary)"
    }
}
