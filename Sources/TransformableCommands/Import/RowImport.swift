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
        let links = Mutex(RowLinks(entity: entity, files: files))
        let first = Mutex<Int64>(1)
        do {
            // The rows before an interruption have been consumed.
            return try change.write(to: store, session, isRepeatable: false) { context in
                let (reader, columns) = try open(store)
                var progress = Progress(session, besideResult: true)
                defer { progress.end() }
                let rows = RowSequence(reader: reader) { row in
                    let place = lines.withLock { lines in
                        lines.append(row.line)
                        return lines.count - 1
                    }
                    links.withLock { $0.add(row, at: place, columns) }
                }
                let numbers = try context.insert(many: rows, into: entity, progress: { progress.show($0) }) {
                    try fill($0, $1.get(), columns)
                }
                first.withLock { $0 = numbers.lowerBound }
                try links.withLock(\.self).set(from: numbers.lowerBound, in: context)
                return numbers.count
            }
        } catch let error as StoreError {
            let own = error.object.flatMap { $0.entity == entity ? $0 : nil }
            let number = own.map { Int($0.number - first.withLock(\.self)) }
            guard let place = error.element ?? number else { throw error }
            throw error.at(lines.withLock { $0.indices.contains(place) ? $0[place] : nil })
        }
    }

    /// Opens the file and finds the attributes of its columns.
    private func open(_ store: Store) throws -> (any RowReader, [ImportColumn]) {
        let bytes =
            if case .file(let path) = source { try ByteSource(path: path) } else {
                ByteSource(standardInput: session.io)
            }
        let known = try ImportColumns(of: entity, in: store)
        switch format {
        case .json: return (try known.reader(ofJSON: bytes), known.purposes)
        case .csv:
            var records = try CSVReader(bytes)
            let header = hasHeader ? try readHeader(&records) : []
            let positions = try columns.map(known.positions(of:)) ?? known.positions(ofHeader: header)
            return (CSVRowReader(records, columns: positions), known.purposes)
        }
    }

    /// Reads the first record of a CSV file.
    private func readHeader(_ records: inout CSVReader) throws(CommandError) -> [String?] {
        if let header = try records.next() { return header.fields }
        throw CommandError(.badInput, "\(source.name) is empty; its first row must contain the names of the columns")
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
    static func naming<Result>(_ line: Int, _ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch {
            throw Self(line: line, underlying: error)
        }
    }
}
