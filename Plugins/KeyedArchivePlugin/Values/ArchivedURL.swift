public import Foundation

/// An archived URL: a string, which can be relative to other URLs.
public struct ArchivedURL: Sendable {
    /// The string, which is relative if there are bases.
    public let relativeString: String
    /// The string of the URL that this one is relative to, that of its base, and so on.
    public let bases: [String]

    /// Creates a URL from strings, which are not validated.
    ///
    /// - Parameters:
    ///   - relativeString: The string.
    ///   - bases: The strings of the URLs that it is relative to, nearest first.
    public init(_ relativeString: String, bases: [String] = []) {
        self.relativeString = relativeString
        self.bases = bases
    }

    /// Creates an archived URL from a URL.
    ///
    /// - Parameter url: The URL.
    public init(_ url: URL) {
        relativeString = url.relativeString
        bases = Array(sequence(first: url, next: \.baseURL).dropFirst().map(\.relativeString))
    }

    /// The Foundation URL, or nil if a string is not a URL.
    public var url: URL? {
        var base: URL?
        for string in bases.reversed() {
            guard let next = URL(string: string, relativeTo: base) else { return nil }
            base = next
        }
        return URL(string: relativeString, relativeTo: base)
    }
}
