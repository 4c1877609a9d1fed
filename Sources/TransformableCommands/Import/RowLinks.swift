internal import Foundation
internal import TransformableStore

/// The relationships that rows state, to be set once all rows have objects.
///
/// Only then does the number of an object set both sides of a relationship that is its own inverse.
struct RowLinks: Sendable {
    // The number of relationships that are set together.
    private static let batch = 128

    /// The entity that the rows belong to.
    private let entity: String
    /// The files that rows can refer to.
    private let files: ImportFiles
    private var links: [Link] = []

    init(entity: String, files: ImportFiles) {
        self.entity = entity
        self.files = files
    }

    /// Adds the relationships that a row states.
    ///
    /// - Parameters:
    ///   - row: The row.
    ///   - place: The row's position among all rows.
    ///   - columns: The purposes of the columns.
    mutating func add(_ row: ImportRow, at place: Int, _ columns: [ImportColumn]) {
        for (column, text) in row.fields {
            guard let text, let relationship = columns[column].relationship else { continue }
            links.append(Link(line: row.line, row: place, relationship: relationship, text: text))
        }
    }

    /// Sets the relationships of the new objects.
    ///
    /// - Parameters:
    ///   - first: The number of the first row's object.
    ///   - context: The context that has inserted the rows.
    /// - Throws: ``RowFailure`` if a relationship cannot be set, and `StoreError` for any other failure.
    func set(from first: Int64, in context: StoreContext) throws {
        // Until every relationship is set, a relationship may have too few objects.
        let isCounted = context.store.model.entities.contains { $0.relationships.contains { $0.minimumCount != nil } }
        for start in stride(from: 0, to: links.count, by: Self.batch) {
            let changes = try links[start..<min(start + Self.batch, links.count)]
                .map { link in try RowFailure.naming(link.line) { try change(link, from: first, in: context) } }
            let others = try prepare(changes, in: context)
            for change in changes {
                try RowFailure.naming(change.line) { try change.value.set(change.name, of: change.object) }
            }
            withExtendedLifetime(others) {}
            if !isCounted { try context.save() }
        }
    }

    private func change(_ link: Link, from first: Int64, in context: StoreContext) throws -> Change {
        let object = try context.fault(ObjectID(entity: entity, number: first + Int64(link.row)))
        switch link.relationship {
        case .column(let found):
            let parser = try found.get()
            let value = try parser.value(cell: link.text, files)
            return Change(line: link.line, object: object, name: parser.name, value: value)
        case .references(let form):
            let value = try form.value(Data(link.text.utf8), .replace)
            return Change(line: link.line, object: object, name: form.name, value: value)
        }
    }

    /// Reads the objects that changes concern, because a server would be waited for with each of them.
    ///
    /// - Returns: The objects to relate the new ones to, which stay in memory for as long as the caller keeps them.
    private func prepare(_ changes: [Change], in context: StoreContext) throws -> [ManagedObject] {
        let others = try changes.flatMap(\.others).map(context.fault)
        try context.prefetch(changes.map(\.object) + others)
        for (name, changes) in Dictionary(grouping: changes, by: \.name) {
            try context.prefetch(changes.map(\.object), changing: name)
        }
        return others
    }
}

extension RowLinks {
    fileprivate enum Relationship: Sendable {
        /// A reference in a column, which another object's column mirrors.
        case column(Result<AttributeParser, any Error>)
        case references(ReferenceForm)
    }

    /// A relationship to set once the row's object exists.
    private struct Link: Sendable {
        let line: Int
        let row: Int
        let relationship: Relationship
        let text: String
    }

    /// A relationship to set, once its text has been read.
    private struct Change {
        let line: Int
        let object: ManagedObject
        let name: String
        let value: AttributeValue

        /// The objects to relate the object to.
        var others: [ObjectID] {
            if case .references(let change) = value { change.objects } else { [] }
        }
    }
}

extension ImportColumn {
    /// The relationship that the column states, or nil if its values are set along with the object's attributes.
    fileprivate var relationship: RowLinks.Relationship? {
        switch self {
        case .attribute(let found, isMutual: true): .column(found)
        case .references(let form): .references(form)
        case .attribute, .entity, .tenant: nil
        }
    }
}
