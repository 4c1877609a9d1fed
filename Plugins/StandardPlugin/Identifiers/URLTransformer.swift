public import Foundation
public import Transformable

/// A URL as its text; what is no URL is an error, and nothing is percent-encoded in passing.
///
/// By default a URL has a scheme. A URL that is relative to a base is refused, since its base would be
/// lost: encode its `absoluteURL`.
public struct URLTransformer: Transformer {
    /// Whether a URL without a scheme is taken.
    public let allowsRelative: Bool

    /// Makes a transformer of URLs.
    ///
    /// - Parameter allowsRelative: Whether a URL without a scheme is taken.
    public init(allowsRelative: Bool = false) {
        self.allowsRelative = allowsRelative
    }

    /// What holds of this transformer.
    public var traits: TransformerTraits { .plain }

    /// The URL's text.
    public func encode(_ value: URL, in context: TransformContext) throws(TransformerError) -> String {
        guard value.baseURL == nil else {
            throw .invalidValue("the URL is relative to a base, which its text does not hold: use its absoluteURL")
        }
        guard allowsRelative || value.scheme != nil else {
            throw .invalidValue("the URL has no scheme; “relative: true” takes such URLs")
        }
        return value.absoluteString
    }

    /// The text's URL.
    public func decode(_ encoded: String, in context: TransformContext) throws(TransformerError) -> URL {
        guard let url = URL(string: encoded, encodingInvalidCharacters: false), url.absoluteString == encoded else {
            throw .invalidData("the text is not a valid URL", offset: Self.offsetOfFault(in: encoded))
        }
        guard allowsRelative || url.scheme != nil else {
            throw .invalidData("the URL has no scheme; “relative: true” takes such URLs", offset: 0)
        }
        return url
    }

    /// The first character that no URL has, where that is the fault (RFC 3986, section 2).
    private static func offsetOfFault(in text: String) -> Int? {
        let others = "\"<>\\^`{|}".utf8
        return Array(text.utf8).firstIndex { !(0x21...0x7E).contains($0) || others.contains($0) }
    }
}
