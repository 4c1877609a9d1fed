internal import Foundation

/// A cell that does not contain a value of its type, although a condition or an aggregate computes with it.
///
/// SQLite has no function that ends a statement with an error. A path in JSON that is not one does, and SQLite's message
/// repeats it.
package struct CellFault {
    private static let label = "transformable cell"
    private static let separator = "\u{1F}"

    private let entity: String
    private let attribute: String?

    init(_ subject: Subject) {
        entity = subject.entity
        attribute = subject.name
    }

    /// Reads a message of SQLite, or returns `nil` if it is about something else.
    package init?(message: String) {
        guard let start = message.range(of: Self.label) else { return nil }
        let parts = message[start.upperBound...].components(separatedBy: Self.separator)
        guard parts.count == 4 else { return nil }
        // SQLite has doubled single quotes.
        entity = parts[1].replacing("''", with: "'")
        attribute = parts[2].isEmpty ? nil : parts[2].replacing("''", with: "'")
    }

    package var error: StoreError {
        StoreError(
            .undecodable,
            "a cell contains no value of its type, so this cannot be computed",
            entity: entity,
            attribute: attribute
        )
    }

    /// Returns SQL that ends the statement with this error.
    ///
    /// It depends on the cell, because SQLite computes constants even if they are not needed.
    func raise(for cell: SQLFragment) -> SQLFragment {
        let text = [Self.label, entity, attribute ?? "", ""].joined(separator: Self.separator)
        return "json_extract('null', \(.text(text)) || typeof(\(cell)))"
    }
}
