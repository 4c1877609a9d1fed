internal import ArgumentParser
internal import Foundation

/// The part of a value to use, and whether to write it as JSON.
struct PartOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Use only this part of a structured value: names and indexes separated by dots.",
            valueName: "path"
        )
    )
    var extract: String?

    @Flag(help: "Write a JSON document that contains the value.")
    var json = false

    /// The path of the part, or nil for the whole value.
    ///
    /// - Throws: ``CommandError`` with the code ``CommandError/Code/usage`` if the path is invalid.
    var path: PartPath? {
        get throws(CommandError) {
            guard let extract else { return nil }
            return try PartPath(extract)
        }
    }

    /// Creates a document that contains a value.
    ///
    /// - Parameters:
    ///   - members: The members that describe the value.
    ///   - name: The name of the value's member.
    ///   - value: The value as JSON.
    /// - Returns: The document.
    func document(_ members: [(name: String, json: String)], _ name: String, _ value: String) -> Content {
        let path = extract.map { [(name: "path", json: JSONText.string($0))] } ?? []
        return Content(text: JSONDocument.text(members + path + [(name: name, json: value)]))
    }
}

extension Content {
    /// Creates a line of text.
    init(text: String) {
        self.init(bytes: Data(text.utf8), isLine: true)
    }
}
