public import Transformable

/// How a property list is written.
public enum PropertyListFormat: String, CaseIterable, Sendable, ArgumentConvertible {
    /// Apple's binary format, version 00.
    case binary
    /// Apple's XML; dates in whole seconds.
    case xml
}
