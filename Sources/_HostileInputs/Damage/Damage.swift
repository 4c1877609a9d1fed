/// One damaged form of an encoded form, made when it is asked for.
public struct Damage<Form>: CustomStringConvertible {
    /// What was done to the encoded form, for a person: “cut to 3 of 12 bytes”.
    public let description: String
    /// What kind of damage it is.
    public let kind: DamageKind
    /// Makes the damaged form.
    public let make: () -> Form

    init(_ kind: DamageKind, _ description: String, make: @escaping () -> Form) {
        self.kind = kind
        self.description = description
        self.make = make
    }
}

@available(*, unavailable)
extension Damage: Sendable {}

/// Kinds of damage.
public enum DamageKind: Sendable {
    /// The beginning only, or nothing at all.
    case truncation
    /// One bit, or one character, is another one.
    case flip
    /// Several changes: parts repeated, removed or replaced, lengths made absurd.
    case mutation
    /// Much more of the same.
    case oversize
}

/// An encoded form that can be damaged.
public protocol Damageable {
    /// Damaged forms of this one.
    ///
    /// A mutation may undo itself: compare before you conclude.
    ///
    /// - Parameters:
    ///   - limit: How many truncations, and how many flips, are taken at most; a sample if there are more.
    ///   - seed: Where the sample and the mutations begin; equal seeds give equal forms.
    /// - Returns: The forms, each made when it is asked for.
    func damages(limit: Int, seed: UInt64) -> [Damage<Self>]
}
