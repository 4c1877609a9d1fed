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
        let first = Mutex<Int64>(1)
        do {
            return try change.write(to: store, session) { context in
                let (reader, parsers) = try open(store)
                var progress = Progress(session, besideResult: true)
                defer { progress.end() }
                let rows = RowSequence(reader: reader) { line in lines.withLock { $0.append(line) } }
                let numbers = try context.insert(many: rows, into: entity, progress: { progress.show($0) }) {
                    try Self.fill($0, $1.get(), parsers)
                }
                first.withLock { $0 = numbers.lowerBound }
                return numbers.count
            }
        } catch let error as StoreError {
            let number = error.object.map { Int($0.number - first.withLock(\.self)) }
            guard let place = error.element ?? number else { throw error }
            throw error.at(lines.withLock { $0.indices.contains(place) ? $0[place] : nil })
        }
    }

    private static func fill(
        _ object: ManagedObject,
        _ row: ImportRow,
        _ parsers: [Result<AttributeParser, any Error>]
    ) throws {
        do {
            for (column, text) in row.fields {
                let parser = try parsers[column].get()
                let value = try text.map { try parser.value(cell: $0) } ?? .none
                try value.set(parser.name, of: object)
            }
        } catch {
            throw RowFailure(line: row.line, underlying: error)
        }
    }
}

// MARK: - Columns

extension RowImport {
    /// Opens the file, and finds the attributes of its columns.
    private func open(_ store: Store) throws -> (any RowReader, [Result<AttributeParser, any Error>]) {
        let bytes =
            if case .file(let path) = source { try ByteSource(path: path) } else {
                ByteSource(standardInput: session.io)
            }
        let attributes = try store.storedAttributes(of: entity)
        let parsers = attributes.map { attribute in Result { try AttributeParser(attribute) } }
        let places = Dictionary(uniqueKeysWithValues: attributes.enumerated().map { ($1.name, $0) })
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
            return places[try store.storedAttribute(name, of: entity).name]
        }
    }
}

/// The rows of a file one by one, up to the first that cannot be read.
private struct RowSequence: Sequence, IteratorProtocol {
    var reader: any RowReader
    /// Is told where each row begins.
    let note: (Int) -> Void
    private var isDone = false

    init(reader: any RowReader, note: @escaping (Int) -> Void) {
        self.reader = reader
        self.note = note
    }

    mutating func next() -> Result<ImportRow, CommandError>? {
        guard !isDone else { return nil }
        do throws(CommandError) {
            guard let row = try reader.next() else { return nil }
            note(row.line)
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
