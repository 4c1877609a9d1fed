/// Pieces of SQL.
enum SQL {
    /// A name as an identifier, whatever is in it.
    static func quoted(_ name: String) -> String {
        "\"" + name.replacing("\"", with: "\"\"") + "\""
    }

    /// A quoted table of the file itself, and not one that a context has put before it.
    static func main(_ table: String) -> String {
        "main.\(table)"
    }
}
