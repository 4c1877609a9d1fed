internal import Foundation
internal import Transformable

/// The way to a part of a value: names and positions with dots between them, `users.0.name`.
///
/// A dot in a name is written `\.`, and a backslash `\\`.
struct PartPath {
    let text: String
    let names: [String]

    /// Reads a path.
    ///
    /// - Parameter text: The path.
    /// - Throws: ``CommandError/Code/usage``.
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
            throw CommandError(.usage, "“\(text)” is no path: names and positions have single dots between them")
        }
        self.names = names
    }

    /// Finds the part of a value.
    ///
    /// - Parameter value: The value.
    /// - Returns: A value of the same type.
    /// - Throws: ``CommandError``: there is no such part, or nothing that could have parts.
    func part(of value: Any) throws(CommandError) -> any PartedValue {
        guard var part = value as? any PartedValue else {
            throw CommandError(.usage, "--extract needs a value with parts, and \(type(of: value)) has none")
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
