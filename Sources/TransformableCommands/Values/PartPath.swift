internal import ArgumentParser
internal import Foundation
internal import Transformable

/// The path of a part of a value: names and indexes separated by dots, as in `users.0.name`.
///
/// Within a name, write `\.` for a dot and `\\` for a backslash.
struct PartPath {
    private let text: String
    let names: [String]

    /// Parses a path.
    ///
    /// - Parameter text: The path.
    /// - Throws: ``CommandError`` with the code ``CommandError/Code/usage`` if the path is malformed.
    init(_ text: String) throws(CommandError) {
        self.text = text
        var names = [""]
        var isEscaped = false
        for character in text {
            switch character {
            case "\\" where !isEscaped:
                isEscaped = true
                continue
            case "." where !isEscaped:
                names.append("")
            default:
                names[names.count - 1].append(character)
            }
            isEscaped = false
        }
        guard !isEscaped, names.allSatisfy({ !$0.isEmpty }) else {
            throw CommandError(.usage, "“\(text)” is not a valid path; separate names and indexes with single dots")
        }
        self.names = names
    }

    /// Returns the part of a value at this path.
    ///
    /// - Parameter value: The value.
    /// - Returns: The part.
    /// - Throws: ``CommandError`` if the value has no such part, or cannot have parts.
    func part(of value: Any) throws(CommandError) -> any PartedValue {
        guard var part = value as? any PartedValue else {
            throw CommandError(.usage, "--extract requires a value with parts, but \(type(of: value)) has none")
        }
        for (depth, name) in names.enumerated() {
            guard part.hasParts else {
                let place = depth == 0 ? "the value" : "“\(names[..<depth].joined(separator: "."))”"
                throw CommandError(.badInput, "there is no “\(text)”: \(place) has no parts")
            }
            guard let next = part.part(named: name) else {
                throw CommandError(.noInput, "there is no “\(names[...depth].joined(separator: "."))” in the value")
            }
            part = next
        }
        return part
    }
}

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
