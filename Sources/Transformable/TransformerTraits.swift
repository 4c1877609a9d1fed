/// What callers may rely on in a transformer.
///
/// Whether a transformer can decode is said by its type: ``Transformer`` or ``OneWayTransformer``.
public struct TransformerTraits: OptionSet, Sendable, Hashable {
    /// The text.
    public let rawValue: UInt16

    /// Makes a set of its bits.
    public init(rawValue: UInt16) {
        self.rawValue = rawValue
    }

    /// The same value gives the same encoded form every time.
    public static let deterministic = Self(rawValue: 1 << 0)
    /// Equal values give the same encoded form, byte for byte.
    ///
    /// So do two equal dictionaries, whatever the order of insertion, and two texts that differ in
    /// normalization, since Swift counts them as equal.
    public static let canonical = Self(rawValue: 1 << 1)
    /// Encoded forms compare as their values do: numbers as numbers, text and bytes bytewise.
    public static let ordered = Self(rawValue: 1 << 2)
    /// Decoding may give less than what was encoded.
    public static let lossy = Self(rawValue: 1 << 3)
    /// Reads the ``TransformContext``: the encoded form belongs to one place.
    public static let contextual = Self(rawValue: 1 << 4)
    /// Decoding fails unless the bytes are what somebody with the key encoded.
    public static let authenticated = Self(rawValue: 1 << 5)
    /// Its input is secret: no error, log or description may show it.
    public static let confidential = Self(rawValue: 1 << 6)

    /// Compresses: how long the encoded form is depends on the content, not only on its length.
    public static let compressing = Self(rawValue: 1 << 7)

    /// What holds of most codecs: equal values give equal bytes, every time.
    public static let plain: Self = [.deterministic, .canonical]

    private static let names: [(trait: Self, name: String)] = [
        (.deterministic, "deterministic"), (.canonical, "canonical"), (.ordered, "ordered"), (.lossy, "lossy"),
        (.contextual, "contextual"), (.authenticated, "authenticated"), (.confidential, "confidential"),
        (.compressing, "compressing"),
    ]

    /// The traits of a composition that encodes by `self` and then by `next`.
    ///
    /// - Parameter next: The traits of the stage that takes this one's encoded form.
    /// - Returns: The traits of both together.
    public func then(_ next: Self) -> Self {
        let bothNeeded: Self = [.deterministic, .ordered]
        let eitherSuffices: Self = [.lossy, .contextual, .authenticated, .confidential, .compressing]
        var result = intersection(next).intersection(bothNeeded).union(union(next).intersection(eitherSuffices))
        // The second stage sees one encoded form of equal values, so it need only repeat itself.
        if contains(.canonical), next.contains(.deterministic) {
            result.insert(.canonical)
        }
        return result
    }

    /// The names of the traits that are set, in their declared order.
    public var descriptions: [String] {
        Self.names.filter { contains($0.trait) }.map(\.name)
    }
}

extension TransformerTraits: CustomStringConvertible {
    /// The canonical text.
    public var description: String {
        descriptions.joined(separator: ", ")
    }
}
