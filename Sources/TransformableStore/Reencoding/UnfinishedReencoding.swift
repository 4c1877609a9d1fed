internal import Transformable

/// A re-encoding that has begun and not ended, because another program is running it or because it was interrupted.
///
/// Request the same re-encoding again to finish it, or call `Store.abortReencodings(sampling:where:)` to abort it.
public struct UnfinishedReencoding: Sendable, Hashable {
    /// The entity that declares the attribute, or a table that a migration has kept aside.
    public let entity: String
    /// The attribute's name.
    public let attribute: String
    /// The number of new values in the shadow column, or 0 if they replace the old ones directly.
    public internal(set) var waitingCount: Int
    /// Whether the waiting values are readable without a key, although those of the attribute are not.
    public let isExposed: Bool
}

extension UnfinishedReencoding: CustomStringConvertible {
    /// A description of what is unfinished, what that means, and what to do, on one line.
    public var description: String {
        let waiting =
            switch (waitingCount, isExposed) {
            case (0, _): ""
            case (let count, true):
                "; \(count.counted("value")) \(count == 1 ? "waits" : "wait") in the file unencrypted"
            case (let count, false): "; \(count.counted("new value")) \(count == 1 ? "waits" : "wait") in the file"
            }
        let ways = "request it again to finish it, or abort it with “store reseal --abort”"
        return "\(entity).\(attribute): a re-encoding is unfinished\(waiting); \(ways)"
    }
}

/// The re-encodings that `Store.abortReencodings(sampling:where:)` has aborted.
public struct AbortedReencodings: Sendable {
    /// The re-encodings, each with the number of removed values.
    public internal(set) var list: [UnfinishedReencoding] = []
    /// Samples of the removed values, for `Store.scrub(searchingFor:)`.
    public internal(set) var canaries = Canaries()
}
