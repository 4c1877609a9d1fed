public import Foundation

/// The content of a cell of a table.
public enum ColumnValue: Sendable, Hashable {
    /// No value.
    case null
    /// An integer.
    case integer(Int64)
    /// A number.
    ///
    /// It is never NaN, which SQLite would store as NULL.
    case real(Double)
    /// Text, which may contain any characters.
    case text(String)
    /// Text whose bytes are not UTF-8.
    case brokenText(Data)
    /// Bytes.
    case blob(Data)
}
