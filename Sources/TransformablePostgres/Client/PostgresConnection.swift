internal import CPostgres
internal import Foundation
package import TransformableModel

/// A connection to a PostgreSQL server.
///
/// It has one owner at a time, and is used by one thread at a time. Statements go through libpq's pipeline mode, so that
/// several of them cost one round trip, and values are sent and received in the binary format.
///
/// An error leaves the connection usable unless ``isUsable`` says otherwise.
@safe
package final class PostgresConnection {
    let handle: OpaquePointer
    private(set) var options: PostgresOptions
    /// How often the connection waited for the server's answer.
    package internal(set) var roundTrips = 0
    var statements = StatementCache()
    let warnings = ServerWarnings()
    /// What was sent and not answered yet.
    var steps: [PipelineStep] = []
    /// The rows that the server is sending, and nobody has asked for yet.
    var stream: (any PostgresRowSource)?
    /// A result that was received and not used.
    private var returned: PostgresResult?
    /// What the end of the connection means for the statements that are being run.
    var loss = StoreError.Code.connectionFailed
    var isInTransaction = false
    /// The conflict because of which the server refuses all statements of the transaction, until it is rolled back in whole
    /// or in part.
    var conflict: StoreError?
    /// The first error after which the server refuses all statements of the transaction, whether or not it is a conflict.
    var cause: PostgresServerError?
    /// What may not have left the program yet, in bytes.
    var unsentBytes = 0
    /// Whether a closure of the caller runs while statements are sent or answers are read.
    private var isOccupied = false
    /// Whether messages that arrive are kept until somebody asks for them.
    var isListening = false
    /// Whether the protocol is in a state that libpq cannot leave.
    var isStuck = false

    /// Connects to a server.
    ///
    /// - Throws: `StoreError`: `connection-failed` if the server cannot be reached, `access-denied` if it does not accept the
    ///   role, `busy` if it has no connection left, `invalid-address` if the connection would not be verified.
    package init(_ address: PostgresAddress, options: PostgresOptions = PostgresOptions()) throws(StoreError) {
        unsafe handle = try Self.open(address, options)
        self.options = options
        loss = .outcomeUnknown
        unsafe warnings.receive(from: handle)
        unsafe PQsetnonblocking(handle, 1)
        guard unsafe PQserverVersion(handle) >= 130_000 else {
            throw StoreError(.unsupported, "the server is older than PostgreSQL 13; update the server")
        }
        guard unsafe PQenterPipelineMode(handle) == 1 else { throw lost() }
        if options.detectsTransactionPooling { try detectTransactionPooling() }
    }

    deinit {
        unsafe PQfinish(handle)
    }

    /// Whether the connection is open and has no transaction, so that it can be used for anything.
    package var isUsable: Bool {
        unsafe isOpen && PQtransactionStatus(handle) == PQTRANS_IDLE && steps.isEmpty
            && stream == nil && !isInTransaction
    }

    var isOpen: Bool { unsafe PQstatus(handle) == CONNECTION_OK && !isStuck }

    /// The process of the server that serves the connection.
    package var process: Int32 { unsafe PQbackendPID(handle) }

    /// Returns what cancels the statement that the connection runs, from any thread.
    package func canceler() -> PostgresCanceler? {
        unsafe PQgetCancel(handle).map { unsafe PostgresCanceler($0) }
    }

    /// Uses transaction pooling if there is a pooler, such as PgBouncer, between the program and the server.
    ///
    /// A pooler invents the number of a process when it accepts a connection, because it chooses the process later.
    private func detectTransactionPooling() throws(StoreError) {
        var question = PostgresStatement("SELECT pg_catalog.pg_backend_pid()")
        question.isPrepared = false
        var answer: Int32?
        loss = .connectionFailed
        defer { loss = .outcomeUnknown }
        try send(question, [], PipelineStep(handler: { row in answer = try row.value(0, as: Int32.self) }))
        do {
            try synchronize()
        } catch {
            throw error as? StoreError
                ?? StoreError(.connectionFailed, "the server's process is unknown", underlying: error)
        }
        if answer != process { options.usesTransactionPooling = true }
    }

    /// Runs a closure during which the connection takes no other statements.
    ///
    /// - Throws: What the closure throws, or `StoreError` with the code `misuse` in another such closure.
    func exclusively<Result>(_ body: () throws -> Result) throws -> Result {
        try checkIsFree()
        try finishStream()
        isOccupied = true
        defer { isOccupied = false }
        return try body()
    }

    /// Keeps a result for the next one who asks for a result.
    func putBack(_ result: consuming PostgresResult) {
        returned = consume result
    }

    func takeReturned() -> PostgresResult? { returned.take() }

    func checkIsFree() throws(StoreError) {
        guard !isOccupied else {
            let remedy = "wait until all rows were read, or use another connection"
            throw StoreError(.misuse, "the connection is used for another statement; \(remedy)")
        }
    }

    /// Returns the error for the end of the connection.
    func lost() -> StoreError {
        let reason = unsafe PostgresServerError.line(String(cString: PQerrorMessage(handle)))
        let message =
            loss == .outcomeUnknown
            ? StoreError.lostInCommit : "the connection to the server was lost; no part of the transaction was written"
        return StoreError(loss, reason.isEmpty ? message : "\(message) (\(reason))")
    }
}

@available(*, unavailable)
extension PostgresConnection: Sendable {}

/// Cancels what a connection is doing.
///
/// It is valid for as long as the program runs, even after the connection was closed.
@safe
package final class PostgresCanceler: @unchecked Sendable {
    // libpq allows PQcancel from any thread: it only reads the structure, which nothing changes.
    private let handle: OpaquePointer

    @unsafe fileprivate init(_ handle: OpaquePointer) {
        unsafe self.handle = handle
    }

    deinit {
        unsafe PQfreeCancel(handle)
    }

    /// Asks the server to cancel the statement that the connection runs at the moment.
    ///
    /// The request goes over a connection of its own. The statement ends with the error `canceled` if it has not ended
    /// before the request arrives. libpq does not encrypt the request, which contains nothing but the number and the key of
    /// the server's process.
    package func cancel() throws(StoreError) {
        var message = [CChar](repeating: 0, count: 256)
        guard unsafe PQcancel(handle, &message, Int32(message.count)) == 1 else {
            throw StoreError(.connectionFailed, "the request to cancel did not reach the server")
        }
    }
}
