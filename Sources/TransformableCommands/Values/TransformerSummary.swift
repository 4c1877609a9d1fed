internal import Transformable

/// A registered transformer, as shown by `list`.
struct TransformerSummary: Encodable {
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

    /// The cells of a table row.
    ///
    /// `list NAME` shows the arguments in full.
    var row: [String] {
        let labels = arguments.map { $0.isRequired ? "\($0.label): …" : $0.label }.joined(separator: ", ")
        let short = labels.count > 40 ? "\(labels.prefix(39))…" : labels
        let types = [takes ?? "…", gives ?? "…"].joined(separator: " to ")
        let direction = isReversible == false ? ["one-way"] : []
        return [name, types, short, (direction + traits).joined(separator: ", "), summary]
    }
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
