public import Transformable

/// The form of the property list that an archive is.
public enum KeyedArchiveFormat: String, CaseIterable, Sendable, ArgumentConvertible {
    /// Apple's binary property list, `bplist00`: what archivers write by default.
    case binary
    /// An XML property list, for a person to read.
    case xml
}
