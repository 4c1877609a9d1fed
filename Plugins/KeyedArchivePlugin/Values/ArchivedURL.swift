public import Foundation

/// A URL as an archive keeps it: a string, relative to other URLs or to none.
public struct ArchivedURL: Sendable {
    /// The string itself; relative if there are bases.
    public let relativeString: String
    /// The strings of the URL that it is relative to, of that one's own, and so on.
    public let bases: [String]

    /// Makes a URL of strings, which are not checked.
    ///
    /// - Parameters:
    ///   - relativeString: The string itself.
    ///   - bases: The strings of the URLs that it is relative to, nearest first.
    public init(_ relativeString: String, bases: [String] = []) {
        self.relativeString = relativeString
        self.bases = bases
    }

    /// Takes a URL apart.
    ///
    /// - Parameter url: The URL.
    public init(_ url: URL) {
        relativeString = url.relativeString
        bases = Array(sequence(first: url, next: \.baseURL).dropFirst().map(\.relativeString))
    }

    /// The URL, as Foundation reads it; nil if a string is none.
    public var url: URL? {
        var base: URL?
        for string in bases.reversed() {
            guard let next = URL(string: string, relativeTo: base) else { return nil }
            base = next
        }
        return URL(string: relativeString, relativeTo: base)
    }
}
