public import Transformable

/// The words of a text as one: `CamelCase`, `lowerCamelCase`, `snake_case`, `kebab-case`.
///
/// Encoding splits at white space and drops the letters' case; decoding gives lower-case words joined
/// by single spaces. Words that hold the separator themselves, or begin with what has no upper case in
/// camel case, come back joined or split otherwise.
public struct WordCaseTransformer: Transformer {
    /// How the words are written.
    public let style: WordCase

    /// Makes a transformer of a style.
    ///
    /// - Parameter style: How the words are written.
    public init(_ style: WordCase) {
        self.style = style
    }

    /// Lossy: letter case and the kind of white space are gone.
    public var traits: TransformerTraits { [.deterministic, .lossy] }

    /// The words as one.
    public func encode(_ value: String, in context: TransformContext) -> String {
        let words = value.split(whereSeparator: \.isWhitespace).map { $0.lowercased() }
        return switch style {
        case .camel: words.map(Self.capitalize).joined()
        case .lowerCamel: words.prefix(1).joined() + words.dropFirst().map(Self.capitalize).joined()
        case .snake: words.joined(separator: "_")
        case .kebab: words.joined(separator: "-")
        }
    }

    /// The words apart, in lower case.
    public func decode(_ encoded: String, in context: TransformContext) throws(TransformerError) -> String {
        if let space = encoded.firstIndex(where: \.isWhitespace) {
            let offset = encoded.utf8.distance(from: encoded.startIndex, to: space)
            throw .invalidData("\(style.rawValue) case has no white space", offset: offset)
        }
        let words: [String] =
            switch style {
            case .camel, .lowerCamel: Self.splitBeforeCapitals(encoded)
            case .snake: encoded.split(separator: "_").map(String.init)
            case .kebab: encoded.split(separator: "-").map(String.init)
            }
        return words.map { $0.lowercased() }.joined(separator: " ")
    }

    /// The word with its first character in title case, which differs from upper case for “ǆ” and “ß”.
    private static func capitalize(_ word: String) -> String {
        guard let first = word.unicodeScalars.first else { return word }
        return first.properties.titlecaseMapping + String(word.unicodeScalars.dropFirst())
    }

    private static func splitBeforeCapitals(_ text: String) -> [String] {
        var words: [String] = []
        for character in text {
            let isCapital =
                character.isUppercase || character.unicodeScalars.first?.properties.generalCategory == .titlecaseLetter
            if isCapital || words.isEmpty {
                words.append(String(character))
            } else {
                words[words.count - 1].append(character)
            }
        }
        return words
    }
}
