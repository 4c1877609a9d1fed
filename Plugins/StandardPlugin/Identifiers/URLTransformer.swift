public import Foundation
public import Transformable

/// A transformer that converts URLs to text.
///
/// Text that is not a URL is an error, and no percent-encoding is added.
///
/// By default, a URL must have a scheme. A URL that is relative to a base is an error, because its base would be lost:
/// encode its `absoluteURL` instead.
public struct URLTransformer: Transformer {
    /// Whether a URL without a scheme is allowed.
    public let allowsRelative: Bool

    /// Creates a transformer.
    ///
    /// - Parameter allowsRelative: Whether a URL without a scheme is allowed.
    public init(allowsRelative: Bool = false) {
        self.allowsRelative = allowsRelative
    }

    /// The traits of the transformer.
    public var traits: TransformerTraits { .plain }

    /// Returns the text of a URL.
    public func encode(_ value: URL, in context: TransformContext) throws(TransformerError) -> String {
        guard value.baseURL == nil else {
            throw .invalidValue("the URL is relative to a base, which its text does not include; use its absoluteURL")
        }
        guard allowsRelative || value.scheme != nil else {
            throw .invalidValue("the URL has no scheme; allow such URLs with “relative: true”")
        }
        return value.absoluteString
    }

    /// Parses a URL.
    public func decode(_ encoded: String, in context: TransformContext) throws(TransformerError) -> URL {
        guard let url = URL(string: encoded, encodingInvalidCharacters: false), url.absoluteString == encoded else {
            throw .invalidData("the text is not a valid URL", offset: Self.offsetOfFault(in: encoded))
        }
        guard allowsRelative || url.scheme != nil else {
            throw .invalidData("the URL has no scheme; allow such URLs with “relative: true”", offset: 0)
        }
        return url
    }

    /// Returns the offset of the first character that URLs cannot contain, if that is the problem (RFC 3986, section
    /// 2).
    private static func offsetOfFault(in text: String) -> Int? {
        let others = "\"<>\\^`{|}".utf8
        return Array(text.utf8).firstIndex { !(0x21...0x7E).contains($0) || others.contains($0) }
    }
}
