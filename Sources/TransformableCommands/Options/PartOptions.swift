internal import ArgumentParser
internal import Foundation

/// Which part of a value is meant, and whether it is written as JSON.
struct PartOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Only this part of a structured value: names and positions with dots between them.",
            valueName: "path"
        )
    )
    var extract: String?

    @Flag(help: "Write JSON, with the value in it.")
    var json = false

    /// The way to the part; nil means the whole value.
    ///
    /// - Throws: ``CommandError/Code/usage``.
    var path: PartPath? {
        get throws(CommandError) {
            guard let extract else { return nil }
            return try PartPath(extract)
        }
    }

    /// Makes a document of a value.
    ///
    /// - Parameters:
    ///   - members: What the value is.
    ///   - name: What the value is called.
    ///   - value: The value as JSON.
    /// - Returns: The document.
    func document(_ members: [(name: String, json: String)], _ name: String, _ value: String) -> Content {
        let path = extract.map { [(name: "path", json: JSONText.string($0))] } ?? []
        return Content(text: JSONDocument.text(members + path + [(name: name, json: value)]))
    }
}

extension Content {
    /// A line of text.
    init(text: String) {
        self.init(bytes: Data(text.utf8), isLine: true)
    }
}
