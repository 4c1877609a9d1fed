import SwiftSyntax

extension EntityDeclaration {
    /// An initializer that takes every attribute, with initial values as default arguments.
    var memberwiseInitializer: String {
        let indent = declaration.memberBlock.members.first?.leadingTrivia.indentation ?? "    "
        let outer = declaration.leadingTrivia.indentation
        let parameters = attributes.compactMap { property -> String? in
            guard let type = property.type?.trimmedDescription else { return nil }
            let value = property.initial?.trimmedDescription ?? (property.isOptional ? "nil" : nil)
            return "\(property.token.text): \(type)\(value.map { " = \($0)" } ?? "")"
        }
        let assignments = attributes.map {
            "\(indent)\(indent.dropFirst(outer.count))self.\($0.token.text) = \($0.token.text)\n"
        }
        return
            "\(indent)\(access)init(\(parameters.joined(separator: ", "))) {\n\(assignments.joined())\(indent)}\n\(outer)"
    }
}

extension Trivia {
    /// The spaces or tabs after the last line break.
    var indentation: String {
        var text = ""
        for piece in pieces {
            switch piece {
            case .newlines, .carriageReturnLineFeeds: text = ""
            case .spaces(let count): text += String(repeating: " ", count: count)
            case .tabs(let count): text += String(repeating: "\t", count: count)
            default: break
            }
        }
        return text
    }
}
