public import Foundation

/// What one cell of a table holds.
public enum ColumnValue: Sendable, Hashable {
    /// Nothing.
    case null
    /// A whole number.
    case integer(Int64)
    /// A number; never NaN, which SQLite would store as NULL.
    case real(Double)
    /// Text, with any characters in it.
    case text(String)
    /// Text whose bytes are not UTF-8.
    case brokenText(Data)
    /// Bytes.
    case blob(Data)
}
