public import Transformable

/// The stored form of a geometry value.
public enum GeometryForm: String, CaseIterable, Sendable, ArgumentConvertible {
    /// Text in braces.
    case text
    /// Numbers of 8 bytes each, in little-endian order.
    case packed
}
