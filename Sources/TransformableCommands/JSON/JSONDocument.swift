/// What verbs write as JSON: an object that says which version of its layout it has.
///
/// The article “JSON output” describes the layouts. Members may be added at any time; what changes or takes away one raises the
/// version.
enum JSONDocument {
    /// The version of all layouts.
    static let version = 1

    /// An object on one line, of members whose values are JSON.
    static func text(_ members: [(name: String, json: String)]) -> String {
        "{\(list(members))}"
    }

    /// The line before the elements of a document's list, each of which stands on a line of its own.
    static func opening(_ members: [(name: String, json: String)], list name: String) -> String {
        "{\(list(members)), \(JSONText.string(name)): ["
    }

    /// The line behind the elements of a document's list.
    static let closing = "]}"

    private static func list(_ members: [(name: String, json: String)]) -> String {
        ([(name: "version", json: "\(version)")] + members)
            .map { "\(JSONText.string($0.name)): \($0.json)" }
            .joined(separator: ", ")
    }
}

/// A value as a document: its members, and the version.
struct VersionedJSON<Content: Encodable>: Encodable {
    private enum Key: CodingKey {
        case version
    }

    let content: Content

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(JSONDocument.version, forKey: .version)
        try content.encode(to: encoder)
    }
}
