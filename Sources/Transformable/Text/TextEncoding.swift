/// How text becomes bytes.
public enum TextEncoding: String, CaseIterable, Sendable, ArgumentConvertible {
    /// UTF-8 without a byte order mark.
    case utf8 = "utf-8"
    /// UTF-16 with a byte order mark: big-endian when written, either when read (RFC 2781).
    case utf16 = "utf-16"
    /// UTF-16, most significant byte first, without a byte order mark.
    case utf16BigEndian = "utf-16be"
    /// UTF-16, least significant byte first, without a byte order mark.
    case utf16LittleEndian = "utf-16le"
    /// ISO 8859-1: one byte for each of the first 256 code points.
    case latin1 = "latin-1"
}
