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
