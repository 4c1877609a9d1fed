public import Transformable

/// The words of a text as one: `CamelCase`, `lowerCamelCase`, `snake_case`, `kebab-case`.
///
/// Encoding splits at white space, hyphens, underscores, and where the letters' case changes, “HTTPServer” into
/// “HTTP” and “Server”, and drops the case; decoding gives lower-case words joined by single spaces. Words
/// that begin with what has no upper case in camel case come back joined.
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
        let words = Self.words(of: value).map { lowercased($0) }
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
        return words.map { lowercased($0) }.joined(separator: " ")
    }

    /// The word with its first character in title case, which differs from upper case for “ǆ” and “ß”.
    private static func capitalize(_ word: String) -> String {
        guard let first = word.unicodeScalars.first else { return word }
        return first.properties.titlecaseMapping + String(word.unicodeScalars.dropFirst())
    }

    private static func words(of text: String) -> [String] {
        text.split { $0.isWhitespace || $0 == "-" || $0 == "_" }.flatMap { splitAtCaseChanges(Array($0)) }
    }

    /// Splits before a capital after a small letter or a digit, and before the last of several capitals that a small
    /// letter follows.
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
    /// Whether it is in upper or title case.
    fileprivate var isCapital: Bool {
        isUppercase || unicodeScalars.first?.properties.generalCategory == .titlecaseLetter
    }
}
