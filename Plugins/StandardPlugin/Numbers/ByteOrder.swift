public import Transformable

/// Which byte of a number comes first.
public enum ByteOrder: String, CaseIterable, Sendable, ArgumentConvertible {
    /// The least significant one.
    case little
    /// The most significant one, as in network protocols.
    case big
}
