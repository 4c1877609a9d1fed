extension ArchivedValue {
    /// What a value holds, with the names by which parts are reached: keys, field names and positions.
    var parts: [(name: String, value: ArchivedValue)] {
        switch self {
        case .array(let values), .orderedSet(let values): Self.numbered(values)
        case .set(let values): Self.numbered(values)
        case .dictionary(let pairs): pairs.map { ($0.key.partName, $0.value) }
        case .object(let instance): instance.fields.flatMap { Self.parts(of: $0.value, named: $0.name) }
        default: []
        }
    }

    private static func numbered(_ values: some Sequence<ArchivedValue>) -> [(name: String, value: ArchivedValue)] {
        values.enumerated().map { (String($0), $1) }
    }

    /// A list in a field is an array of its own.
    private static func parts(
        of field: ArchivedInstance.FieldValue,
        named name: String
    ) -> [(name: String, value: ArchivedValue)] {
        switch field {
        case .object(let value): [(name, value ?? .null)]
        case .inline(let value): [(name, value)]
        case .objects(let values): [(name, .array(values.map { $0 ?? .null }))]
        }
    }

    /// The name of a dictionary's key: a text itself, an integer's digits, otherwise its JSON.
    private var partName: String {
        switch self {
        case .string(let text): text
        default: JSONPrinter.print(ArchivedValueToJSON.json(of: self))
        }
    }
}
