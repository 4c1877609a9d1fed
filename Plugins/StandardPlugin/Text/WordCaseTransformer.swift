public import Transformable

/// A transformer that joins the words of text: `CamelCase`, `lowerCamelCase`, `snake_case`, `kebab-case`.
///
/// Encoding splits text at whitespace, hyphens, underscores, and changes of letter case (“HTTPServer” becomes “HTTP”
/// and “Server”), and discards the letter case. Decoding returns lowercase words separated by single spaces. In camel
/// case, words that begin with a character without letter case remain joined.
public struct WordCaseTransformer: Transformer {
    /// The style in which words are joined.
    public let style: WordCase

    /// Creates a transformer.
    ///
    /// - Parameter style: The style in which words are joined.
    public init(_ style: WordCase) {
        self.style = style
    }

    /// The traits of the transformer.
    ///
    /// It is lossy, because the letter case and the kind of whitespace are lost.
    public var traits: TransformerTraits { [.deterministic, .lossy] }

    /// Joins the words of text.
    public func encode(_ value: String, in context: TransformContext) -> String {
        let words = Self.words(of: value).map { lowercased($0) }
        return switch style {
        case .camel: words.map(Self.capitalize).joined()
        case .lowerCamel: words.prefix(1).joined() + words.dropFirst().map(Self.capitalize).joined()
        case .snake: words.joined(separator: "_")
        case .kebab: words.joined(separator: "-")
        }
    }

    /// Splits the words, and converts them to lowercase.
    public func decode(_ encoded: String, in context: TransformContext) throws(TransformerError) -> String {
        if let space = encoded.firstIndex(where: \.isWhitespace) {
            let offset = encoded.utf8.distance(from: encoded.startIndex, to: space)
            throw .invalidData("\(style.rawValue) case must not contain whitespace", offset: offset)
        }
        let words: [String] =
            switch style {
            case .camel, .lowerCamel: Self.splitBeforeCapitals(encoded)
            case .snake: encoded.split(separator: "_").map(String.init)
            case .kebab: encoded.split(separator: "-").map(String.init)
            }
        return words.map { lowercased($0) }.joined(separator: " ")
    }

    /// Returns the word with its first character in title case, which differs from uppercase for “ǆ” and “ß”.
    private static func capitalize(_ word: String) -> String {
        guard let first = word.unicodeScalars.first else { return word }
        return first.properties.titlecaseMapping + String(word.unicodeScalars.dropFirst())
    }

    private static func words(of text: String) -> [String] {
        text.split { $0.isWhitespace || $0 == "-" || $0 == "_" }.flatMap { splitAtCaseChanges(Array($0)) }
    }

    /// Splits words at changes of letter case.
    ///
    /// A word starts at a capital that follows a small letter or a digit, and at the last of several capitals that a
    /// small letter follows.
    private static func splitAtCaseChanges(_ characters: [Character]) -> [String] {
        var words: [String] = []
        for (index, character) in characters.enumerated() {
            let previous = index > 0 ? characters[index - 1] : nil
            let next = index + 1 < characters.count ? characters[index + 1] : nil
            let isBoundary =
                previous.map { $0.isLowercase || $0.isNumber || $0.isCapital && (next?.isLowercase ?? false) } ?? true
            if words.isEmpty || character.isCapital && isBoundary {
                words.append(String(character))
            } else {
                words[words.count - 1].append(character)
            }
        }
        return words
    }

    private static func splitBeforeCapitals(_ text: String) -> [String] {
        var words: [String] = []
        for character in text {
            if character.isCapital || words.isEmpty {
                words.append(String(character))
            } else {
                words[words.count - 1].append(character)
            }
        }
        return words
    }
}

extension Character {
    /// Whether the character is in uppercase or title case.
    fileprivate var isCapital: Bool {
        isUppercase || unicodeScalars.first?.properties.generalCategory == .titlecaseLetter
    }
}

/// A style for joining words.
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
