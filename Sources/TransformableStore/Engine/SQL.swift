/// Utilities for SQL text.
package enum SQL {
    /// Returns a name as a quoted identifier.
    ///
    /// Quotation marks are doubled by scalar, because SQLite knows nothing of combining marks.
    package static func quoted(_ name: String) -> String {
        guard name.utf8.contains(UInt8(ascii: "\"")) else { return "\"\(name)\"" }
        let doubled = name.unicodeScalars.flatMap { $0 == "\"" ? [$0, $0] : [$0] }
        return "\"" + String(String.UnicodeScalarView(doubled)) + "\""
    }

    /// Returns a table of the file itself, rather than a view that a context has laid over it.
    package static func main(_ table: TableName) -> String {
        "main.\(table)"
    }
}
