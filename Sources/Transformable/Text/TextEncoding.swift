/// A text encoding.
public enum TextEncoding: String, CaseIterable, Sendable, ArgumentConvertible {
    /// UTF-8 without a byte order mark.
    case utf8 = "utf-8"
    /// UTF-16 with a byte order mark (RFC 2781). It is written in big-endian order, and read in either order.
    case utf16 = "utf-16"
    /// UTF-16, most significant byte first, without a byte order mark.
    case utf16BigEndian = "utf-16be"
    /// UTF-16, least significant byte first, without a byte order mark.
    case utf16LittleEndian = "utf-16le"
    /// ISO 8859-1, which has one byte for each of the first 256 code points.
    case latin1 = "latin-1"
}
