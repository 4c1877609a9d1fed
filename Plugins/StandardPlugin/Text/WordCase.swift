internal import Transformable

/// How the words of a text are joined.
public enum WordCase: String, CaseIterable, Sendable {
    /// `CamelCase`.
    case camel
    /// `lowerCamelCase`, also known as llama case.
    case lowerCamel = "lower-camel"
    /// `snake_case`.
    case snake
    /// `kebab-case`, also known as train case.
    case kebab

    /// The name in expressions.
    var name: TransformerName { TransformerName(rawValue: rawValue + "-case") }

    var summary: String {
        switch self {
        case .camel: "words as CamelCase"
        case .lowerCamel: "words as lowerCamelCase"
        case .snake: "words as snake_case"
        case .kebab: "words as kebab-case"
        }
    }
}
