public import Transformable

/// What a geometry value is stored as.
public enum GeometryForm: String, CaseIterable, Sendable, ArgumentConvertible {
    /// Text in braces, which a person reads.
    case text
    /// Numbers of 8 bytes each, least significant first.
    case packed
}
