internal import Transformable

/// A re-encoding that has begun and not ended: another program is at it, or it was interrupted.
///
/// Asking for the same again finishes it; `Store.abortReencodings(sampling:where:)` gives it up.
public struct UnfinishedReencoding: Sendable, Hashable {
    /// The entity that declares the attribute, or a table that a migration has kept aside.
    public let entity: String
    /// The attribute's name.
    public let attribute: String
    /// The number of new values that wait in a column of their own; 0 if they take the places of the old ones.
    public internal(set) var waitingCount: Int
    /// Whether the values that wait are readable without a key, while those of the attribute are not.
    public let isExposed: Bool
}

extension UnfinishedReencoding: CustomStringConvertible {
    /// What is unfinished, what that means, and what to do, on one line.
    public var description: String {
        let waiting =
            switch (waitingCount, isExposed) {
            case (0, _): ""
            case (let count, true): "; \(count.counted("value")) \(count == 1 ? "waits" : "wait") in the file in clear"
            case (let count, false): "; \(count.counted("new value")) \(count == 1 ? "waits" : "wait") in the file"
            }
        let ways = "ask for the same again to finish it, or give it up with “store reseal --abort”"
        return "\(entity).\(attribute): a re-encoding has begun and not ended\(waiting); \(ways)"
    }
}

/// What was given up by `Store.abortReencodings(sampling:where:)`.
public struct AbortedReencodings: Sendable {
    /// The re-encodings, with the values of each that were removed.
    public internal(set) var list: [UnfinishedReencoding] = []
    /// Some of the removed values, for `Store.scrub(searchingFor:)`.
    public internal(set) var canaries = Canaries()
}
