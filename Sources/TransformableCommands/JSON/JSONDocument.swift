/// The JSON output of the commands: an object that includes the version of its layout.
///
/// The article “JSON output” describes the layouts. Members may be added at any time; the version is raised when a
/// member is changed or removed.
enum JSONDocument {
    /// The version of all layouts.
    static let version = 1

    /// Returns an object on one line, given its members as JSON.
    static func text(_ members: [(name: String, json: String)]) -> String {
        "{\(list(members))}"
    }

    /// Returns the line before the elements of a list, each of which is written on its own line.
    static func opening(_ members: [(name: String, json: String)], list name: String) -> String {
        "{\(list(members)), \(JSONText.string(name)): ["
    }

    /// The line after the elements of a list.
    static let closing = "]}"

    private static func list(_ members: [(name: String, json: String)]) -> String {
        ([(name: "version", json: "\(version)")] + members)
            .map { "\(JSONText.string($0.name)): \($0.json)" }
            .joined(separator: ", ")
    }
}

/// A value encoded as a document: its members and the version.
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
