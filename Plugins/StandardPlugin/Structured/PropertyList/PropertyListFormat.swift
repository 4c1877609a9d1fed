public import Transformable

/// The format of a property list.
public enum PropertyListFormat: String, CaseIterable, Sendable, ArgumentConvertible {
    /// Apple's binary format, version 00.
    case binary
    /// Apple's XML format, in which dates have whole seconds.
    case xml
}
