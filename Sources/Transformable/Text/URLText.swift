package import Foundation

/// The text of a URL, including its base.
///
/// The text is that of the URL, such as `https://example.com/a`. For a URL that is relative to a base, it consists of
/// the relative part, a space (which no URL contains), and the base: `../b https://example.com/a/`.
package enum URLText {
    /// Returns the text of a URL.
    ///
    /// - Parameter url: A URL.
    /// - Returns: The text.
    package static func text(of url: URL) -> String {
        url.baseURL.map { "\(url.relativeString) \($0.absoluteString)" } ?? url.absoluteString
    }

    /// Parses a URL.
    ///
    /// - Parameter text: A text. No percent-encoding is added.
    /// - Returns: The URL, or nil if the text is not a URL.
    package static func url(_ text: String) -> URL? {
        let parts = text.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let urls = parts.compactMap { URL(string: $0, encodingInvalidCharacters: false) }
        guard urls.count == parts.count, let first = urls.first else { return nil }
        guard parts.count > 1 else { return first }
        let url = URL(string: parts[0], relativeTo: urls[1])
        return url?.baseURL == nil ? nil : url
    }
}
