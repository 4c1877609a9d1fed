internal import Foundation
internal import Synchronization
internal import TransformableStore

/// Inserts the rows of a file in a single transaction.
struct RowImport: Sendable {
    let entity: String
    let source: InputSource
    let format: ImportFormat
    /// The names of the columns, unless the file provides them.
    ///
    /// `-` skips a column.
    let columns: [String]?
    /// Whether the first record of a CSV file contains the names of the columns.
    let hasHeader: Bool
    /// The files that rows can refer to.
    let files: ImportFiles
    let session: Session

    /// Inserts the rows.
    ///
    /// - Parameters:
    ///   - store: The store.
    ///   - change: Whether to keep the rows.
    /// - Returns: The number of rows, or nil if they are not kept.
    /// - Throws: ``RowFailure`` if a row cannot be inserted, and ``CommandError`` or `StoreError` for any other
    ///   failure.
    func run(in store: Store, _ change: ChangeOptions) throws -> Int? {
        let lines = Mutex<[Int]>([])
        let links = Mutex<[RowLink]>([])
        let first = Mutex<Int64>(1)
        do {
            // The rows before an interruption have been consumed.
            return try change.write(to: store, session, isRepeatable: false) { context in
                let (reader, columns) = try open(store)
                var progress = Progress(session, besideResult: true)
                defer { progress.end() }
                let rows = RowSequence(reader: reader) { row in
                    lines.withLock { $0.append(row.line) }
                    let found = row.fields.compactMap { RowLink(row.line, lines.withLock(\.count) - 1, $0, columns) }
                    if !found.isEmpty { links.withLock { $0 += found } }
                }
                let numbers = try context.insert(many: rows, into: entity, progress: { progress.show($0) }) {
                    try fill($0, $1.get(), columns)
                }
                first.withLock { $0 = numbers.lowerBound }
                try follow(links.withLock(\.self), from: numbers.lowerBound, in: context)
                return numbers.count
            }
        } catch let error as StoreError {
            let own = error.object.flatMap { $0.entity == entity ? $0 : nil }
            let number = own.map { Int($0.number - first.withLock(\.self)) }
            guard let place = error.element ?? number else { throw error }
            throw error.at(lines.withLock { $0.indices.contains(place) ? $0[place] : nil })
        }
    }

    private func fill(_ object: ManagedObject, _ row: ImportRow, _ columns: [ImportColumn]) throws {
        try RowFailure.naming(row.line) {
            for (column, text) in row.fields {
                switch columns[column] {
                case .attribute(let found, _):
                    let parser = try found.get()
                    let value = try text.map { try parser.value(cell: $0, files) } ?? .none
                    try value.set(parser.name, of: object)
                case .entity:
                    if let text, text != entity { throw CommandError.wrongEntity(text, importing: entity) }
                case .tenant: throw CommandError.tenantOfRow
                case .references: break
                }
            }
        }
    }

    /// Sets the relationships of the new objects once they all have rows.
    ///
    /// Only then does the number of an object set both sides of a relationship that is its own inverse.
    private func follow(_ links: [RowLink], from first: Int64, in context: StoreContext) throws {
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

    // The number of relationships that are set together.
    private static let batch = 128

    private func change(_ link: RowLink, from first: Int64, in context: StoreContext) throws -> RowChange {
        let object = try context.fault(ObjectID(entity: entity, number: first + Int64(link.row)))
        switch link.relationship {
        case .column(let found):
            let parser = try found.get()
            let value = try parser.value(cell: link.text, files)
            return RowChange(line: link.line, object: object, name: parser.name, value: value)
        case .references(let form):
            let value = try form.value(Data(link.text.utf8), .replace)
            return RowChange(line: link.line, object: object, name: form.name, value: value)
        }
    }

    /// Reads the objects that changes concern, because a server would be waited for with each of them.
    ///
    /// - Returns: The objects to relate the new ones to, which stay in memory for as long as the caller keeps them.
    private func prepare(_ changes: [RowChange], in context: StoreContext) throws -> [ManagedObject] {
        let others = try changes.flatMap(\.others).map(context.fault)
        try context.prefetch(changes.map(\.object) + others)
        for (name, changes) in Dictionary(grouping: changes, by: \.name) {
            try context.prefetch(changes.map(\.object), changing: name)
        }
        return others
    }
}

/// The purpose of a column's values.
private enum ImportColumn: Sendable {
    case attribute(Result<AttributeParser, any Error>, isMutual: Bool)
    case references(ReferenceForm)
    /// The name of the object's entity, which “store show” writes for entities with sub-entities.
    case entity
    /// The object's tenant, which “store export” writes.
    case tenant
}

/// A relationship to set once the row's object exists.
private struct RowLink: Sendable {
    enum Relationship: Sendable {
        /// A reference in a column, which another object's column mirrors.
        case column(Result<AttributeParser, any Error>)
        case references(ReferenceForm)
    }

    let line: Int
    let row: Int
    let relationship: Relationship
    let text: String

    init?(_ line: Int, _ row: Int, _ field: (column: Int, text: String?), _ columns: [ImportColumn]) {
        guard let text = field.text else { return nil }
        switch columns[field.column] {
        case .attribute(let found, isMutual: true): relationship = .column(found)
        case .references(let form): relationship = .references(form)
        case .attribute, .entity, .tenant: return nil
        }
        self.line = line
        self.row = row
        self.text = text
    }
}

/// A relationship to set, once its text has been read.
private struct RowChange {
    let line: Int
    let object: ManagedObject
    let name: String
    let value: AttributeValue

    /// The objects to relate the object to.
    var others: [ObjectID] {
        if case .references(let change) = value { change.objects } else { [] }
    }
}

// MARK: - Columns

extension RowImport {
    /// Opens the file and finds the attributes of its columns.
    private func open(_ store: Store) throws -> (any RowReader, [ImportColumn]) {
        let bytes =
            if case .file(let path) = source { try ByteSource(path: path) } else {
                ByteSource(standardInput: session.io)
            }
        let attributes = try store.storedAttributes(of: entity)
        let references = store.referenceForms(of: entity, beside: attributes)
        let parsers =
            attributes.map { attribute in
                ImportColumn.attribute(Result { try AttributeParser(attribute) }, isMutual: attribute.isMutual)
            }
            + references.map(ImportColumn.references) + [.entity, .tenant]
        let names = attributes.map(\.name) + references.map(\.name)
        let places = Dictionary(uniqueKeysWithValues: names.enumerated().map { ($1, $0) })
        var special = ["entity": names.count].filter { places[$0.key] == nil }
        if store.model.hasTenants { special["_tenant"] = names.count + 1 }
        // The output of “store show” and “store export” includes the number that an object had, and what the store derives.
        let ignored = Set(attributes.filter { $0.description.derivation != nil }.map(\.name) + ["_id"])
        switch format {
        case .json:
            return (try JSONLineReader(bytes, entity, columns: places, special: special, ignored: ignored), parsers)
        case .csv:
            var records = try CSVReader(bytes)
            let header = hasHeader ? try records.next()?.fields ?? [] : []
            let names = columns ?? header.map { $0.flatMap { ignored.contains($0) ? "-" : $0 } ?? "" }
            let known = columns == nil ? places.merging(special) { place, _ in place } : places
            return (CSVRowReader(records, columns: try columns(named: names, in: store, known)), parsers)
        }
    }

    /// Returns the positions of the named attributes.
    ///
    /// A position is nil for a column to skip.
    private func columns(named names: [String], in store: Store, _ places: [String: Int]) throws -> [Int?] {
        var seen: Set<String> = []
        return try names.map { name in
            guard name != "-" else { return nil }
            guard !name.isEmpty else { throw CommandError(.usage, "a column has no name; use “-” to skip a column") }
            guard seen.insert(name).inserted else { throw CommandError(.usage, "the column “\(name)” appears twice") }
            return try places[name] ?? places[store.storedProperty(name, of: entity).name]
        }
    }
}

/// The rows of a file, up to the first one that cannot be read.
private struct RowSequence: Sequence, IteratorProtocol {
    var reader: any RowReader
    /// A function that is called with each row.
    let note: (ImportRow) -> Void
    private var isDone = false

    init(reader: any RowReader, note: @escaping (ImportRow) -> Void) {
        self.reader = reader
        self.note = note
    }

    mutating func next() -> Result<ImportRow, CommandError>? {
        guard !isDone else { return nil }
        do throws(CommandError) {
            guard let row = try reader.next() else { return nil }
            note(row)
            return .success(row)
        } catch {
            isDone = true
            return .failure(error)
        }
    }
}

extension StoreError {
    /// Returns the error with the row's line, which is more helpful than its index.
    fileprivate func at(_ line: Int?) -> any Error {
        guard let line else { return self }
        var error = self
        error.element = nil
        error.object = nil
        return RowFailure(line: line, underlying: error)
    }
}

/// A row to insert into a store.
struct ImportRow: Sendable {
    /// The line that the row starts on, counted from 1.
    let line: Int
    /// The text of each field and the position of its attribute.
    ///
    /// A nil text means no value.
    let fields: [(column: Int, text: String?)]
}

/// Reads rows one at a time.
protocol RowReader {
    /// Returns the next row, or nil at the end.
    mutating func next() throws(CommandError) -> ImportRow?
}

/// The maximum size of a row: 64 MiB.
let rowLimit = 1 << 26

extension CommandError {
    /// Returns the error for a malformed row.
    static func badRow(_ line: Int, _ message: String) -> Self {
        Self(.badInput, "line \(line): \(message)")
    }

    fileprivate static var tenantOfRow: Self {
        let way = "remove it from the lines and give the tenant with --tenant, or import the whole export with --folder"
        return Self(.usage, "the object's tenant, “_tenant”, cannot be imported; \(way)")
    }

    fileprivate static func wrongEntity(_ found: String, importing entity: String) -> Self {
        let way = "import it into “\(found)”, or omit the column “entity” to import every row into “\(entity)”"
        return Self(.badInput, "the object is one of “\(found)”, not “\(entity)”; \(way)")
    }
}

/// An error in a row.
struct RowFailure: Error {
    let line: Int
    let underlying: any Error

    /// Adds the number of a row's line to any error that a closure throws.
    fileprivate static func naming<Result>(_ line: Int, _ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch {
            throw Self(line: line, underlying: error)
        }
    }
}
