/// Pieces of SQL.
enum SQL {
    /// A name as an identifier, whatever is in it.
    static func quoted(_ name: String) -> String {
        "\"" + name.replacing("\"", with: "\"\"") + "\""
    }
}
