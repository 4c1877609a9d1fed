/// Utilities for SQL text.
enum SQL {
    /// Returns a name as a quoted identifier.
    static func quoted(_ name: String) -> String {
        "\"" + name.replacing("\"", with: "\"\"") + "\""
    }

    /// Returns a quoted table of the file itself, rather than a view that a context has laid over it.
    static func main(_ table: String) -> String {
        "main.\(table)"
    }
}
