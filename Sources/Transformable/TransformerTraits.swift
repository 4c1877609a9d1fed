/// The properties of a transformer that callers can rely on.
///
/// Whether a transformer can decode is determined by its type: ``Transformer`` or ``OneWayTransformer``.
public struct TransformerTraits: OptionSet, Sendable, Hashable {
    /// The bits of the option set.
    public let rawValue: UInt16

    /// Creates a set of traits from its bits.
    public init(rawValue: UInt16) {
        self.rawValue = rawValue
    }

    /// A value has the same encoded form every time.
    public static let deterministic = Self(rawValue: 1 << 0)
    /// Equal values have the same encoded form, byte for byte.
    ///
    /// This includes dictionaries that differ in insertion order, and texts that differ in normalization, because Swift
    /// considers them equal.
    public static let canonical = Self(rawValue: 1 << 1)
    /// Encoded forms are ordered like their values.
    ///
    /// Numbers are compared numerically, and text and data are compared bytewise.
    public static let ordered = Self(rawValue: 1 << 2)
    /// Decoding may lose information.
    public static let lossy = Self(rawValue: 1 << 3)
    /// The encoded form is bound to its ``TransformContext``.
    public static let contextual = Self(rawValue: 1 << 4)
    /// Decoding fails unless the bytes were encoded by someone who has the key.
    public static let authenticated = Self(rawValue: 1 << 5)
    /// Values are secret.
    ///
    /// They must not appear in errors, logs, or descriptions.
    public static let confidential = Self(rawValue: 1 << 6)

    /// The transformer compresses: the length of the encoded form depends on the content of the value, not only on its
    /// length.
    public static let compressing = Self(rawValue: 1 << 7)

    /// The traits of most codecs: equal values have equal encoded forms, every time.
    public static let plain: Self = [.deterministic, .canonical]

    private static let names: [(trait: Self, name: String)] = [
        (.deterministic, "deterministic"), (.canonical, "canonical"), (.ordered, "ordered"), (.lossy, "lossy"),
        (.contextual, "contextual"), (.authenticated, "authenticated"), (.confidential, "confidential"),
        (.compressing, "compressing"),
    ]

    /// Returns the traits of a composition of two transformers.
    ///
    /// - Parameter next: The traits of the transformer that takes the encoded form of this one.
    /// - Returns: The traits of the composition.
    public func then(_ next: Self) -> Self {
        let bothNeeded: Self = [.deterministic, .ordered]
        let eitherSuffices: Self = [.lossy, .contextual, .authenticated, .confidential, .compressing]
        var result = intersection(next).intersection(bothNeeded).union(union(next).intersection(eitherSuffices))
        // The first stage gives equal values the same encoded form, so the second stage only needs to be deterministic.
        if contains(.canonical), next.contains(.deterministic) {
            result.insert(.canonical)
        }
        return result
    }

    /// The names of the traits, in the order of their declarations.
    public var descriptions: [String] {
        Self.names.filter { contains($0.trait) }.map(\.name)
    }
}

extension TransformerTraits: CustomStringConvertible {
    /// The names of the traits, separated by commas.
    public var description: String {
        descriptions.joined(separator: ", ")
    }
}
