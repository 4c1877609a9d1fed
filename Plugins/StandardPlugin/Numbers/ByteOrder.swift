public import Transformable

/// The order of the bytes of a number.
public enum ByteOrder: String, CaseIterable, Sendable, ArgumentConvertible {
    /// The least significant byte comes first.
    case little
    /// The most significant byte comes first, as in network protocols.
    case big
}
