/// Utilities for SQL text.
package enum SQL {
    /// Returns a name as a quoted identifier.
    ///
    /// Quotation marks are doubled by scalar, because SQLite knows nothing about combining marks.
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

/// The name of a table or a view.
///
/// In the text of a statement, it is a quoted identifier.
package struct TableName: Hashable, Sendable, CustomStringConvertible {
    package let name: String

    package init(_ name: String) {
        self.name = name
    }

    /// The quoted identifier.
    package var description: String { SQL.quoted(name) }
}

/// The name of a column.
///
/// In the text of a statement, it is a quoted identifier.
package struct ColumnName: Hashable, Sendable, CustomStringConvertible {
    package let name: String

    package init(_ name: String) {
        self.name = name
    }

    /// The quoted identifier.
    package var description: String { SQL.quoted(name) }
}
