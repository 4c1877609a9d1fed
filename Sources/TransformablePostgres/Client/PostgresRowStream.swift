internal import CPostgres
internal import Foundation
internal import TransformableModel

/// The rows of a statement, which are received while they are read.
///
/// Until the last row, the connection cannot run another statement. If it has to, it first receives all remaining rows,
/// which then wait in memory.
///
/// The first rows are received by the thread that reads them. If there are many, another thread receives the next ones
/// in the meantime.
@safe
final class PostgresRowStream<Row: Sendable>: PostgresRowSource {
    /// Makes a value of a row that the server sent.
    typealias Maker = @Sendable (borrowing PostgresRow) throws -> Row

    // The number of rows after which another thread receives them.
    private static var fewRows: Int { 512 }

    private let connection: PostgresConnection
    private let make: Maker
    // What was received and not read yet.
    private var rows: [Row] = []
    private var position = 0
    private var row = PostgresRow()
    private var receivedCount = 0
    private var isOver = false
    private var isWanted = true
    private var failure: (any Error)?
    private var pump: PostgresRowPump<Row>?

    fileprivate init(_ connection: PostgresConnection, _ make: @escaping Maker) {
        self.connection = connection
        self.make = make
    }

    /// Returns the next row, or `nil` at the end.
    ///
    /// - Throws: Any error from the server or from the closure that creates the rows. Later calls throw the same error
    ///   again.
    func next() throws -> Row? {
        if position == rows.count {
            rows = pump?.take() ?? []
            position = 0
            // Rows that were received early, to make way for another statement, are returned before any error that
            // followed them.
            guard !rows.isEmpty else { return try receiveOne() }
        }
        defer { position += 1 }
        return rows[position]
    }

    private func receiveOne() throws -> Row? {
        if let pump { takeOver(from: pump) }
        let row = try receive()
        if receivedCount == Self.fewRows, !isOver { pump = PostgresRowPump(connection, make) }
        return row
    }

    /// Ignores the rest of the rows, which are received before the connection runs another statement.
    func discard() {
        isWanted = false
        rows = []
        position = 0
    }

    /// Receives the rest of the rows, which then wait until they are read.
    func finish() throws {
        if let pump {
            rows = Array(rows[position...]) + pump.stop()
            position = 0
            takeOver(from: pump)
        }
        if !isWanted { rows = [] }
        while let row = try receive() {
            if isWanted { rows.append(row) }
        }
    }

    /// Receives a row on the current thread.
    private func receive() throws -> Row? {
        while !isOver {
            guard let result = try connection.nextResult() else {
                end()
                break
            }
            switch result.status {
            case PGRES_SINGLE_TUPLE:
                receivedCount += 1
                guard isWanted, failure == nil, let row = made(of: result) else { continue }
                return row
            case PGRES_TUPLES_OK, PGRES_COMMAND_OK, PGRES_EMPTY_QUERY: continue
            default: failure = failure ?? connection.error(for: result).ofReading
            }
            if !connection.isOpen { end() }
        }
        if let failure { throw failure }
        return nil
    }
}

@available(*, unavailable)
extension PostgresRowStream: Sendable {}

extension PostgresRowStream {
    /// Returns what the closure makes of a result's row, or `nil` if it throws an error.
    private func made(of result: borrowing PostgresResult) -> Row? {
        do {
            return try result.make(make, &row)
        } catch {
            failure = error
            return nil
        }
    }

    /// Goes on where the other thread has stopped.
    private func takeOver(from pump: PostgresRowPump<Row>) {
        self.pump = nil
        // The other thread may be ahead of the rows that are wanted.
        if isWanted { failure = failure ?? pump.failure }
        if pump.hasEnded { end() }
    }

    /// Reads the mark that follows the last row.
    private func end() {
        isOver = true
        connection.stream = nil
        do {
            try connection.receiveSynchronization(after: failure)
        } catch {
            failure = failure ?? error
        }
    }
}

extension PostgresResult {
    /// Returns what a closure makes of the only row.
    func make<Row>(_ make: PostgresRowStream<Row>.Maker, _ row: inout PostgresRow) throws -> Row {
        if row.count != columnCount { try begin(&row) }
        fill(&row, from: 0)
        return try make(row)
    }
}

/// Rows that a connection is receiving.
protocol PostgresRowSource: AnyObject {
    /// Receives the rest of the rows, which then wait until they are read.
    ///
    /// - Throws: Any error from the server or from the closure that creates the rows. Later calls throw the same error
    ///   again.
    func finish() throws
}

extension PostgresConnection {
    /// Runs a statement in the current transaction, and returns its rows as they arrive.
    ///
    /// - Parameters:
    ///   - statement: A statement that returns rows.
    ///   - values: The values of its parameters.
    ///   - make: What makes the values that are read. It must not use the connection, and may run on another thread.
    /// - Returns: The rows, none of which have been received.
    /// - Throws: `StoreError`, including any error of what was sent before.
    func stream<Row: Sendable>(
        _ statement: PostgresStatement,
        _ values: [PostgresValue],
        _ make: @escaping PostgresRowStream<Row>.Maker
    ) throws -> PostgresRowStream<Row> {
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
        let stream = PostgresRowStream(self, make)
        self.stream = stream
        return stream
    }

    /// Receives the rows that the server is still sending.
    ///
    /// - Throws: `StoreError` if the statement failed after its first rows.
    func finishStream() throws(StoreError) {
        guard let stream else { return }
        do {
            try stream.finish()
        } catch let error as StoreError {
            throw error
        } catch {
            throw StoreError(.statementFailed, "a row of a result cannot be read", underlying: error)
        }
    }
}
