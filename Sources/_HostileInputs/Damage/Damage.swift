/// A damaged form of an encoded form, which is created on request.
public struct Damage<Form>: CustomStringConvertible {
    /// A description of the damage, such as “cut to 3 of 12 bytes”.
    public let description: String
    /// The kind of damage.
    public let kind: DamageKind
    /// Creates the damaged form.
    public let make: () -> Form

    init(_ kind: DamageKind, _ description: String, make: @escaping () -> Form) {
        self.kind = kind
        self.description = description
        self.make = make
    }
}

@available(*, unavailable)
extension Damage: Sendable {}

/// A kind of damage.
public enum DamageKind: Sendable {
    /// The end is missing, or everything is.
    case truncation
    /// A bit or a character is different.
    case flip
    /// There are several changes: parts that are repeated, removed, or replaced, and absurd lengths.
    case mutation
    /// A part is repeated excessively.
    case oversize
}

/// An encoded form that can be damaged.
public protocol Damageable {
    /// Returns damaged forms of this encoded form.
    ///
    /// The changes of a mutation can cancel each other out, so compare the forms first.
    ///
    /// - Parameters:
    ///   - limit: The maximum number of truncations and of flips. If there are more, a sample is returned.
    ///   - seed: The seed of the sample and the mutations. Equal seeds give equal forms.
    /// - Returns: The forms, each of which is created on request.
    func damages(limit: Int, seed: UInt64) -> [Damage<Self>]
}
