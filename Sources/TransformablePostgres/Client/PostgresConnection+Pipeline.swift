internal import CPostgres
internal import Foundation
package import TransformableModel

/// A message to the server whose answer is awaited.
struct PipelineStep {
    /// The statement that it prepares, if it does.
    var preparation: PostgresStatement?
    /// What reads the rows of its answer.
    var handler: PostgresConnection.RowHandler?
    /// Whether the caller gets the number of rows.
    var isCounted = false
    /// What reads the description of a statement.
    var describer: ((borrowing PostgresResult) -> Void)?
    /// What receives the number of rows or the error, and throws the error that the caller gets.
    var completion: ((Result<Int, any Error>) throws -> Void)?
}

/// The answers to the messages of a unit.
struct PipelineAnswers {
    /// The numbers of rows of the counted steps.
    var counts: [Int] = []
    /// The first error of the server or of a handler.
    var failure: (any Error)?
}

/// Collects statements that are sent together.
///
/// Each statement is sent while the next one is being added, and the answers are read after the last one.
package struct PostgresPipeline: ~Copyable {
    fileprivate let connection: PostgresConnection

    /// Adds a statement.
    ///
    /// - Parameters:
    ///   - statement: The statement.
    ///   - values: The values of its parameters.
    ///   - handler: What reads its rows, one after the other, after all statements were added.
    /// - Throws: `StoreError` if the values do not fit the statement, or the connection was lost.
    package func add(
        _ statement: PostgresStatement,
        _ values: [PostgresValue] = [],
        rows handler: PostgresConnection.RowHandler? = nil
    ) throws(StoreError) {
        try connection.send(statement, values, PipelineStep(handler: handler, isCounted: true))
    }
}

extension PipelineStep {
    /// Returns the error that the caller gets.
    fileprivate func explained(_ error: any Error) -> any Error {
        guard let completion, error is StoreError else { return error }
        do {
            try completion(.failure(error))
            return error
        } catch {
            return error
        }
    }
}

extension PostgresConnection {
    /// Reads a row.
    package typealias RowHandler = (borrowing PostgresRow) throws -> Void

    /// Runs a statement, and returns the number of rows that it changed.
    @discardableResult
    package func execute(_ statement: PostgresStatement, _ values: [PostgresValue] = []) throws -> Int {
        try pipeline { try $0.add(statement, values) }[0]
    }

    /// Runs a statement, and passes its rows to a closure as they arrive.
    ///
    /// If the closure throws, the rest of the rows are received and ignored.
    package func query(
        _ statement: PostgresStatement,
        _ values: [PostgresValue] = [],
        _ body: RowHandler
    ) throws {
        try withoutActuallyEscaping(body) { body in
            _ = try pipeline { try $0.add(statement, values, rows: body) }
        }
    }

    /// Runs a statement, and returns what a closure makes of its rows.
    package func rows<Element>(
        _ statement: PostgresStatement,
        _ values: [PostgresValue] = [],
        _ body: (borrowing PostgresRow) throws -> Element
    ) throws -> [Element] {
        var elements: [Element] = []
        try query(statement, values) { row in elements.append(try body(row)) }
        return elements
    }

    /// Runs several statements in one round trip.
    ///
    /// Outside of a transaction, they are one: if one of them fails, none of them has an effect.
    ///
    /// - Returns: The number of rows that each statement changed or returned.
    /// - Throws: The error of the first statement that fails, or of the closure. In either case, all statements that were
    ///   added before are sent.
    package func pipeline(_ body: (borrowing PostgresPipeline) throws -> Void) throws -> [Int] {
        try exclusively {
            if !isInTransaction { loss = .outcomeUnknown }
            do {
                let pipeline = PostgresPipeline(connection: self)
                try body(pipeline)
            } catch {
                try? abandon()
                throw error
            }
            return try synchronize()
        }
    }
}

// MARK: - Sending

extension PostgresConnection {
    /// What is sent before the socket must take it, in bytes.
    private static let unsentLimit = 262_144

    /// Sends a statement, without waiting for its answer.
    func send(
        _ statement: PostgresStatement,
        _ values: [PostgresValue] = [],
        _ step: PipelineStep = PipelineStep()
    ) throws(StoreError) {
        try send(statement, BoundParameters(values, for: statement), step)
    }

    /// Sends a statement, which may leave the types of its parameters to the server.
    func send(
        _ statement: PostgresStatement,
        _ bound: borrowing BoundParameters,
        _ step: PipelineStep = PipelineStep()
    ) throws(StoreError) {
        guard bound.size <= WireBuffer.largestMessage else { throw .largeMessage }
        try finishStream()
        let types = statement.parameters.isEmpty ? nil : statement.parameters.map(\.rawValue)
        let code: Int32
        // A failed transaction accepts nothing except its end, so no statement can be sent to make room for another
        // one.
        let hasFailed = unsafe PQtransactionStatus(handle) == PQTRANS_INERROR
        if options.usesTransactionPooling || !statement.isPrepared || hasFailed {
            code = unsafe bound.withPointers { count, values in
                unsafe PQsendQueryParams(
                    handle,
                    statement.sql,
                    count,
                    types,
                    values.values,
                    values.lengths,
                    values.formats,
                    1
                )
            }
        } else {
            let name = try preparedName(of: statement)
            code = unsafe bound.withPointers { count, values in
                unsafe PQsendQueryPrepared(handle, name, count, values.values, values.lengths, values.formats, 1)
            }
        }
        guard code == 1 else { throw lost() }
        steps.append(step)
        unsentBytes += bound.size + 64
        if unsentBytes > Self.unsentLimit { try flush() }
    }

    /// Returns the name of a prepared statement, which is sent first if it is new.
    private func preparedName(of statement: PostgresStatement) throws(StoreError) -> String {
        if let name = statements.name(of: statement) { return name }
        if let oldest = statements.evict() {
            guard unsafe PQsendQueryParams(handle, "DEALLOCATE \(oldest)", 0, nil, nil, nil, nil, 1) == 1 else {
                throw lost()
            }
            steps.append(PipelineStep())
        }
        let name = statements.add(statement)
        let types = statement.parameters.map(\.rawValue)
        guard unsafe PQsendPrepare(handle, name, statement.sql, Int32(types.count), types) == 1 else {
            statements.remove(statement)
            throw lost()
        }
        steps.append(PipelineStep(preparation: statement))
        return name
    }

    /// Waits until everything that was sent has left the program.
    ///
    /// It reads what the server sends meanwhile, because the server may read on only after that.
    func flush() throws(StoreError) {
        unsentBytes = 0
        while true {
            let state = unsafe PQflush(handle)
            if state == 0 { return }
            guard state > 0 else { throw lost() }
            let events = unsafe Self.wait(for: PQsocket(handle), Int16(POLLIN | POLLOUT))
            guard unsafe events & Int16(POLLIN) == 0 || PQconsumeInput(handle) == 1 else { throw lost() }
        }
    }
}

// MARK: - Receiving

extension PostgresConnection {
    /// Ends what was sent so far as a unit, and reads all answers.
    ///
    /// - Returns: The numbers of rows of the counted steps.
    /// - Throws: The first error of the server or of a handler.
    @discardableResult
    func synchronize() throws -> [Int] {
        try finishStream()
        defer { steps.removeAll(keepingCapacity: true) }
        try sendSynchronization()
        var answers = PipelineAnswers()
        for step in steps { receive(step, into: &answers) }
        try receiveSynchronization(after: answers.failure)
        if let failure = answers.failure { throw failure }
        return answers.counts
    }

    /// Ends what was sent so far as a unit, which the server then answers.
    func sendSynchronization() throws(StoreError) {
        guard unsafe PQpipelineSync(handle) == 1 else { throw lost() }
        try flush()
        roundTrips += 1
    }

    /// Reads the answer to a step.
    func receive(_ step: PipelineStep, into answers: inout PipelineAnswers) {
        do {
            let count = try receive(step, isFailed: answers.failure != nil)
            if step.isCounted { answers.counts.append(count) }
            if answers.failure == nil { try step.completion?(.success(count)) }
        } catch {
            answers.failure = answers.failure ?? step.explained(error)
            if let statement = step.preparation { statements.remove(statement) }
        }
    }

    /// Reads the server's mark that the unit has ended.
    func receiveSynchronization(after failure: (any Error)?) throws {
        guard isOpen else { throw failure ?? lost() }
        while true {
            guard let result = try nextResult() else { throw failure ?? lost() }
            if result.status == PGRES_PIPELINE_SYNC { return }
        }
    }

    /// Ends a unit that was not sent completely, and ignores the answers.
    private func abandon() throws {
        guard !steps.isEmpty else { return }
        for index in steps.indices { steps[index].handler = nil }
        // The statements before it must not be committed. This one always fails.
        if !isInTransaction, unsafe PQsendQueryParams(handle, "ABANDON", 0, nil, nil, nil, nil, 1) == 1 {
            steps.append(PipelineStep())
        }
        try synchronize()
    }

    /// Reads the answer to a step, and returns its number of rows.
    private func receive(_ step: PipelineStep, isFailed: Bool) throws -> Int {
        if step.handler != nil { unsafe PQsetSingleRowMode(handle) }
        var count = 0
        var failure: (any Error)?
        var row = PostgresRow()
        while let result = try nextResult() {
            do {
                switch result.status {
                case PGRES_COMMAND_OK, PGRES_EMPTY_QUERY:
                    count = result.affectedRows
                    step.describer?(result)
                case PGRES_SINGLE_TUPLE, PGRES_TUPLES_OK:
                    if failure == nil, !isFailed { count += try read(result, &row, step.handler) }
                case PGRES_PIPELINE_ABORTED: failure = failure ?? StoreError.afterFailure(cause)
                case PGRES_COPY_IN, PGRES_COPY_OUT, PGRES_COPY_BOTH:
                    isStuck = true
                    throw StoreError(.misuse, "COPY cannot be run like other statements; the connection was closed")
                default: throw error(for: result)
                }
            } catch {
                failure = failure ?? error
            }
            guard isOpen else { break }
        }
        if let failure { throw failure }
        return count
    }

    /// Passes the rows of a result to a handler, and returns their number.
    private func read(
        _ result: borrowing PostgresResult,
        _ row: inout PostgresRow,
        _ handler: RowHandler?
    ) throws -> Int {
        let count = result.rowCount
        guard let handler, count > 0 else { return count }
        if row.count != result.columnCount { try result.begin(&row) }
        for index in 0..<count {
            result.fill(&row, from: index)
            try handler(row)
        }
        return count
    }

    /// Waits for the next result: `nil` at the end of the answer to a statement.
    func nextResult() throws(StoreError) -> PostgresResult? {
        if let result = takeReturned() { return result }
        while unsafe PQisBusy(handle) != 0 {
            _ = unsafe Self.wait(for: PQsocket(handle), Int16(POLLIN))
            // After the end of the connection, there may still be a last message of the server.
            if unsafe PQconsumeInput(handle) != 1 { break }
            discardNotifications()
        }
        guard let result = unsafe PQgetResult(handle).map({ unsafe PostgresResult($0) }) else { return nil }
        // The command is the same for the whole transaction and for the part after a savepoint.
        if cause != nil, result.status == PGRES_COMMAND_OK, result.command == "ROLLBACK" {
            (conflict, cause) = (nil, nil)
        }
        return result
    }

    /// Whether the next result has not arrived.
    var mustWait: Bool { unsafe PQisBusy(handle) != 0 }

    /// Returns the error for a result that is none of those that a statement should have.
    func error(for result: borrowing PostgresResult) -> StoreError {
        let error = warnings.explanation(of: PostgresServerError(result.errorFields))
        if error.isStalePlan { statements.removeAll() }
        guard !error.sqlState.isEmpty else { return lost() }
        if error.isConsequence { return conflict ?? .afterFailure(cause ?? error) }
        cause = cause ?? error
        let failure = StoreError(error, loss: loss)
        if failure.isRetryable { conflict = failure }
        return failure
    }
}

extension StoreError {
    /// Returns the error of a statement that the server did not run because one before it failed.
    fileprivate static func afterFailure(_ cause: PostgresServerError?) -> Self {
        Self(.statementFailed, "a statement was not run, because one before it failed", underlying: cause)
    }
}
