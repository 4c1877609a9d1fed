internal import Foundation
internal import Synchronization
internal import TransformableStore

/// Inserts the rows of a file, all in one transaction.
struct RowImport: Sendable {
    let entity: String
    let source: InputSource
    let format: ImportFormat
    /// The names of the columns, where it is not the file that says them; `-` leaves one out.
    let columns: [String]?
    /// Whether the first record of comma-separated values names the columns.
    let hasHeader: Bool
    /// The files that rows name.
    let files: ImportFiles
    let session: Session

    /// Inserts the rows.
    ///
    /// - Parameters:
    ///   - store: The store.
    ///   - change: Whether the rows are kept.
    /// - Returns: How many there were; nil if they are not kept.
    /// - Throws: ``RowFailure``, ``CommandError``, and `StoreError` for what concerns no row.
    func run(in store: Store, _ change: DryRunOption) throws -> Int? {
        let lines = Mutex<[Int]>([])
        let links = Mutex<[RowLink]>([])
        let first = Mutex<Int64>(1)
        do {
            return try change.write(to: store, session) { context in
                let (reader, columns) = try open(store)
                var progress = Progress(session, besideResult: true)
                defer { progress.end() }
                let rows = RowSequence(reader: reader) { row in
                    lines.withLock { $0.append(row.line) }
                    let found = row.fields.compactMap { RowLink(row.line, lines.withLock(\.count) - 1, $0, columns) }
                    if !found.isEmpty { links.withLock { $0 += found } }
                }
                let numbers = try context.insert(many: rows, into: entity, progress: { progress.show($0) }) {
                    try Self.fill($0, $1.get(), columns, files)
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

    private static func fill(
        _ object: ManagedObject,
        _ row: ImportRow,
        _ columns: [ImportColumn],
        _ files: ImportFiles
    ) throws {
        do {
            for (column, text) in row.fields {
                guard case .attribute(let found) = columns[column] else { continue }
                let parser = try found.get()
                let value = try text.map { try parser.value(cell: $0, files) } ?? .none
                try value.set(parser.name, of: object)
            }
        } catch {
            throw RowFailure(line: row.line, underlying: error)
        }
    }

    /// Sets what new objects lead to, once they have rows.
    private func follow(_ links: [RowLink], from first: Int64, in context: StoreContext) throws {
        // Until all is set, there may be too few objects.
        let isCounted = context.store.model.entities.contains { $0.relationships.contains { $0.minimumCount != nil } }
        for (index, link) in links.enumerated() {
            do {
                let object = try context.object(ObjectID(entity: entity, number: first + Int64(link.row)))
                try link.form.value(Data(link.text.utf8), .replace).set(link.form.name, of: object)
            } catch {
                throw RowFailure(line: link.line, underlying: error)
            }
            if !isCounted, index % 128 == 127 { try context.save() }
        }
    }
}

/// What the values of a column are for.
private enum ImportColumn: Sendable {
    case attribute(Result<AttributeParser, any Error>)
    case references(ReferenceForm)
}

/// A relationship of a row, which is set when the row's object is there.
private struct RowLink: Sendable {
    let line: Int
    let row: Int
    let form: ReferenceForm
    let text: String

    init?(_ line: Int, _ row: Int, _ field: (column: Int, text: String?), _ columns: [ImportColumn]) {
        guard case .references(let form) = columns[field.column], let text = field.text else { return nil }
        self.line = line
        self.row = row
        self.form = form
        self.text = text
    }
}

// MARK: - Columns

extension RowImport {
    /// Opens the file, and finds the attributes of its columns.
    private func open(_ store: Store) throws -> (any RowReader, [ImportColumn]) {
        let bytes =
            if case .file(let path) = source { try ByteSource(path: path) } else {
                ByteSource(standardInput: session.io)
            }
        let attributes = try store.storedAttributes(of: entity)
        let references = store.referenceForms(of: entity, beside: attributes)
        let parsers =
            attributes.map { attribute in ImportColumn.attribute(Result { try AttributeParser(attribute) }) }
            + references.map(ImportColumn.references)
        let names = attributes.map(\.name) + references.map(\.name)
        let places = Dictionary(uniqueKeysWithValues: names.enumerated().map { ($1, $0) })
        // What “store show” and “store export” write has the number that an object had.
        let numbers: Set = ["_id"]
        switch format {
        case .json:
            return (try JSONLineReader(bytes, entity, columns: places, ignored: numbers), parsers)
        case .csv:
            var records = try CSVReader(bytes)
            let header = hasHeader ? try records.next()?.fields ?? [] : []
            let names = columns ?? header.map { $0.flatMap { numbers.contains($0) ? "-" : $0 } ?? "" }
            return (CSVRowReader(records, columns: try columns(named: names, in: store, places)), parsers)
        }
    }

    /// The places of the attributes that columns name; nil for a column that is left out.
    private func columns(named names: [String], in store: Store, _ places: [String: Int]) throws -> [Int?] {
        var seen: Set<String> = []
        return try names.map { name in
            guard name != "-" else { return nil }
            guard !name.isEmpty else { throw CommandError(.usage, "a column has no name; “-” leaves one out") }
            guard seen.insert(name).inserted else { throw CommandError(.usage, "the column “\(name)” is there twice") }
            return try places[name] ?? places[store.storedProperty(name, of: entity).name]
        }
    }
}

/// The rows of a file one by one, up to the first that cannot be read.
private struct RowSequence: Sequence, IteratorProtocol {
    var reader: any RowReader
    /// Is told of each row.
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
    /// The error of a row; where it stands in its file says more than its place among the rows.
    fileprivate func at(_ line: Int?) -> any Error {
        guard let line else { return self }
        var error = self
        error.element = nil
        error.object = nil
        return RowFailure(line: line, underlying: error)
    }
}
