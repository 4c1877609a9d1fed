internal import TransformableModel
internal import TransformableStore

/// A statement of the store, which runs when it is first stepped.
///
/// Its rows are received while they are stepped through. Another statement on the same connection waits until all of them
/// have been received, and they then wait in memory.
final class PostgresQuery: EngineStatement {
    private let session: PostgresSession
    private let text: PostgresText
    // What the server says about a program's own statement. Nobody asks for it in the case of others.
    private let description: PostgresDescription?
    private var values: [ColumnValue] = []
    // The rows, from the first step until the statement is reset.
    private var rows: PostgresRows?
    private var row = PackedRow.empty
    // The awaited access that the statement belongs to, if any. It ends when its task is canceled.
    private let access = Interruption.access

    init(_ text: PostgresText, _ description: PostgresDescription? = nil, on session: PostgresSession) {
        self.session = session
        self.text = text
        self.description = description
    }

    var isReadOnly: Bool { session.isReading }

    var parameterCount: Int {
        let count = description?.parameters.count ?? 0
        return count - (text.takesTenant ? 1 : 0) - (text.tag == nil ? 0 : 1)
    }

    var columnNames: [String] { description?.columns.map(\.name) ?? [] }

    func step() throws -> Bool {
        if let access, access.isOpen, Task.isCancelled {
            reset()
            throw CancellationError()
        }
        do {
            let rows = try rows ?? session.run(text.sql, session.cells(values, for: text))
            self.rows = rows
            guard let next = try session.located(rows.next) else { return false }
            row = next
            return true
        } catch let error as StoreError where description != nil {
            throw error.ofOwnStatement
        }
    }

    func reset() {
        rows?.discard()
        rows = nil
        row = .empty
    }

    deinit {
        rows?.discard()
    }

    func bind(_ value: ColumnValue, at index: Int) {
        while values.count < index { values.append(.null) }
        values[index - 1] = value
    }

    func bind(_ number: Int64, at index: Int) {
        bind(.integer(number), at: index)
    }

    func bind(_ text: String, at index: Int) {
        bind(.text(text), at: index)
    }

    func integer(_ index: Int) -> Int64 {
        // Each use of the property would retain the row.
        let row = row
        return row.kind(index) == .integer ? row.integer(index) : 0
    }

    func packedRow(from first: Int, count: Int) -> PackedRow {
        first == 0 && count == rows?.columnCount ? row : row.cells(from: first, count: count)
    }
}

/// The rows of a statement.
final class PostgresRows {
    let columnCount: Int
    private var stream: PostgresRowStream<PackedRow>?

    /// Creates the result of a statement that returns no rows.
    init() {
        columnCount = 0
    }

    init(
        _ statement: PostgresStatement,
        _ values: [PostgresValue],
        _ columns: [PostgresDescription.Column],
        _ checker: RowChecker? = nil,
        on connection: PostgresConnection
    ) throws {
        columnCount = columns.count
        let formats = try columns.map { column throws(StoreError) in
            try CellFormat(column, checksRows: checker != nil)
        }
        let types = columns.map(\.type)
        stream = try connection.stream(statement, values) { row in
            guard !row.differs(from: types) else { throw Self.outdated }
            let packed = try PackedRow(row, formats)
            try checker?.check(row, packed)
            return packed
        }
    }

    /// The error of a statement whose columns have changed since it was described.
    ///
    /// The statement is described again the next time.
    private static let outdated = StoreError(
        .transactionConflict,
        "another program has changed the columns of a statement; run the transaction again"
    )

    /// Returns the next row, or `nil` at the end.
    func next() throws -> PackedRow? {
        try stream?.next()
    }

    /// Ignores the rest of the rows.
    func discard() {
        stream?.discard()
        stream = nil
    }

    deinit {
        discard()
    }
}
