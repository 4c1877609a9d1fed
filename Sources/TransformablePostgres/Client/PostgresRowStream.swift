internal import CPostgres
internal import TransformableModel

/// The rows of a statement, which are received one at a time.
///
/// Until the last row, the connection cannot run another statement. If it has to, it first passes all remaining rows to
/// the handler, which then keeps them in memory.
@safe
final class PostgresRowStream {
    private let connection: PostgresConnection
    // `nil` once the rest of the rows are not wanted.
    private var handler: PostgresConnection.RowHandler?
    private var row = PostgresRow()
    private var isOver = false
    private var failure: (any Error)?

    fileprivate init(_ connection: PostgresConnection, _ handler: @escaping PostgresConnection.RowHandler) {
        self.connection = connection
        self.handler = handler
    }

    /// Receives a row and passes it to the handler, and returns whether there was one.
    ///
    /// - Throws: The error of the server or of the handler, again each time that it is called.
    func receive() throws -> Bool {
        while !isOver {
            guard let result = try connection.nextResult() else {
                end()
                break
            }
            switch result.status {
            case PGRES_SINGLE_TUPLE:
                guard handler != nil, failure == nil else { continue }
                guard pass(result) else { continue }
                return true
            case PGRES_TUPLES_OK, PGRES_COMMAND_OK, PGRES_EMPTY_QUERY: continue
            default: failure = failure ?? connection.error(for: result)
            }
            if !connection.isOpen { end() }
        }
        if let failure { throw failure }
        return false
    }

    /// Ignores the rest of the rows, which are received before the connection runs another statement.
    func discard() {
        handler = nil
    }

    /// Passes the row of a result to the handler.
    private func pass(_ result: borrowing PostgresResult) -> Bool {
        do {
            if row.count != result.columnCount { try result.begin(&row) }
            result.fill(&row, from: 0)
            try handler?(row)
            return true
        } catch {
            failure = error
            return false
        }
    }

    /// Reads the mark that follows the last row.
    private func end() {
        isOver = true
        handler = nil
        connection.stream = nil
        do {
            try connection.receiveSynchronization(after: failure)
        } catch {
            failure = failure ?? error
        }
    }
}

@available(*, unavailable)
extension PostgresRowStream: Sendable {}

extension PostgresConnection {
    /// Runs a statement in the current transaction, and returns its rows as they arrive.
    ///
    /// - Parameters:
    ///   - statement: A statement that returns rows.
    ///   - values: The values of its parameters.
    ///   - handler: What receives the rows. It must not use the connection.
    /// - Returns: The rows, none of which have been received.
    /// - Throws: `StoreError`, and the errors of what was sent before.
    func stream(
        _ statement: PostgresStatement,
        _ values: [PostgresValue],
        _ handler: @escaping RowHandler
    ) throws -> PostgresRowStream {
        try checkIsFree()
        guard isInTransaction else { throw StoreError(.misuse, "rows are streamed in a transaction only") }
        try send(statement, values)
        defer { steps.removeAll(keepingCapacity: true) }
        try sendSynchronization()
        var answers = PipelineAnswers()
        for step in steps.dropLast() { receive(step, into: &answers) }
        if let failure = answers.failure {
            for step in steps.suffix(1) { receive(step, into: &answers) }
            try receiveSynchronization(after: failure)
            throw failure
        }
        unsafe PQsetSingleRowMode(handle)
        let stream = PostgresRowStream(self, handler)
        self.stream = stream
        return stream
    }

    /// Receives the rows that the server is still sending.
    ///
    /// - Throws: `StoreError` if the statement failed after its first rows.
    func finishStream() throws(StoreError) {
        guard let stream else { return }
        do {
            while try stream.receive() {}
        } catch let error as StoreError {
            throw error
        } catch {
            throw StoreError(.statementFailed, "a row of a result cannot be read", underlying: error)
        }
    }
}
