/// What every transformer promises, and what some promise by their traits.
public enum TransformerLaw: String, Sendable, CaseIterable, Codable {
    /// There are values to check with, each equal to itself.
    case samples
    /// Decoding what was encoded gives an equal value.
    ///
    /// A lossy transformer may lose something the first time, and must keep what is left: decoding,
    /// encoding and decoding again gives the value that decoding gave.
    case roundTrip = "round trip"
    /// The same value gives the same encoded form every time.
    case deterministic
    /// Equal values give the same encoded form, however they were made.
    case canonical
    /// Encoded forms are in the order of their values.
    case ordered
    /// A contextual transformer's encoded form belongs to one context; any other's belongs to all.
    case contextual
    /// No damaged form is decoded.
    case authenticated
    /// No error shows a value.
    case confidential
    /// `isUnchanged` is true of a value's own encoded form, and false of another value's.
    case unchanged
    /// The candidates of a value hold its encoded form.
    case candidates
    /// Every failure is a `TransformerError` that says something.
    case typedErrors = "typed errors"
    /// What decodes, however damaged it is, is a value that encodes and decodes again.
    case encodesAgain = "encodes again"
    /// Values that must be refused, and encoded forms that must be rejected, are.
    case refusal
    /// Bytes are the same wherever they lie: a slice of `Data` and a `Span` are read like a copy of them.
    case slices
    /// Any number of threads gets what one gets.
    case threads
    /// Nothing ends the process.
    case neverTraps = "never traps"
    /// Every call comes to an end in good time.
    case boundedTime = "bounded time"
    /// No call takes memory out of proportion.
    case boundedMemory = "bounded memory"
}
