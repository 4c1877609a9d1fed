package import Foundation

/// The text of a URL, with the base that it is relative to.
///
/// The text is the URL's own, `https://example.com/a`; of one that is relative to a base it is the relative part, a
/// space, which no URL contains, and the base: `../b https://example.com/a/`.
package enum URLText {
    /// Writes a URL.
    ///
    /// - Parameter url: Any URL.
    /// - Returns: Its text.
    package static func text(of url: URL) -> String {
        url.baseURL.map { "\(url.relativeString) \($0.absoluteString)" } ?? url.absoluteString
    }

    /// Reads a URL.
    ///
    /// - Parameter text: A text; nothing in it is percent-encoded in passing.
    /// - Returns: The URL; nil if the text is not one.
    package static func url(_ text: String) -> URL? {
        let parts = text.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let urls = parts.compactMap { URL(string: $0, encodingInvalidCharacters: false) }
        guard urls.count == parts.count, let first = urls.first else { return nil }
        guard parts.count > 1 else { return first }
        let url = URL(string: parts[0], relativeTo: urls[1])
        return url?.baseURL == nil ? nil : url
    }
}
