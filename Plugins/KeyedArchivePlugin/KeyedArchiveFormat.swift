public import Transformable

/// The property list format of an archive.
public enum KeyedArchiveFormat: String, CaseIterable, Sendable, ArgumentConvertible {
    /// Apple's binary property list format, `bplist00`, which is the default of archivers.
    case binary
    /// The XML property list format, which is human-readable.
    case xml
}
