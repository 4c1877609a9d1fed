internal import TransformableModel
internal import TransformableStore

/// A statement of the store, which runs when it is first stepped.
///
/// All of its rows are received before the first one is returned, because the connection is then free for other
/// statements.
final class PostgresQuery: EngineStatement {
    private let session: PostgresSession
    private let sql: String
    private var values: [ColumnValue] = []
    // The rows, from the first step until the statement is reset.
    private var rows: [PackedRow]?
    private var position = -1
    // Whether the statement ends when the task that runs it is canceled.
    private let isInterruptible = Interruption.isHeeded

    init(_ sql: String, on session: PostgresSession) {
        self.session = session
        self.sql = sql
    }

    var isReadOnly: Bool { session.isReading }

    var parameterCount: Int { (try? session.description(of: sql))?.parameters.count ?? 0 }

    var columnNames: [String] { (try? session.description(of: sql))?.columns.map(\.name) ?? [] }

    func step() throws -> Bool {
        if isInterruptible, Task.isCancelled {
            reset()
            throw CancellationError()
        }
        if rows == nil { rows = try session.run(sql, values) }
        position += 1
        return position < rows?.count ?? 0
    }

    func reset() {
        rows = nil
        position = -1
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

    private var row: PackedRow { rows?[position] ?? .empty }

    func integer(_ index: Int) -> Int64 {
        row.kind(index) == .integer ? row.integer(index) : 0
    }

    func packedRow(from first: Int, count: Int) -> PackedRow {
        row.cells(from: first, count: count)
    }
}
