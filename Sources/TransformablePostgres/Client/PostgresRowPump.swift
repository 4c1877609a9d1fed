internal import CPostgres
internal import Foundation
internal import TransformableModel

/// Receives the rows of a statement on a thread of its own, while another one reads those before them.
///
/// It ends at the last row, at an error, or when it is stopped.
///
/// `@unchecked` because the condition protects `batches`, `isRunning`, and `isStopping`. Only the pump's thread uses the
/// connection, `failure`, and `hasEnded` until it sets `isRunning` to false, and only the connection's owner does
/// afterward.
final class PostgresRowPump<Row: Sendable>: @unchecked Sendable {
    // How much is passed on at a time, and how much may wait.
    private static var mostRows: Int { 128 }
    private static var mostBytes: Int { 1 << 17 }
    private static var mostBatches: Int { 8 }

    private let connection: PostgresConnection
    private let make: PostgresRowStream<Row>.Maker
    private let condition = NSCondition()
    private var batches: [[Row]] = []
    private var isRunning = true
    private var isStopping = false
    /// The error of the closure that makes the rows, once the pump has ended.
    private(set) var failure: (any Error)?
    /// Whether the answer to the statement is complete, once the pump has ended.
    private(set) var hasEnded = false

    init(_ connection: PostgresConnection, _ make: @escaping PostgresRowStream<Row>.Maker) {
        self.connection = connection
        self.make = make
        // Do not use a pool thread: all threads in the pool may be waiting for rows.
        Thread.detachNewThread { [self] in run() }
    }

    /// Waits for rows, and returns them, or `nil` after the end.
    func take() -> [Row]? {
        condition.lock()
        defer { condition.unlock() }
        while batches.isEmpty, isRunning { condition.wait() }
        guard !batches.isEmpty else { return nil }
        let batch = batches.removeFirst()
        // Not at each batch, because the pump would then wake up for each of them.
        if batches.count == Self.mostBatches / 2 { condition.broadcast() }
        return batch
    }

    /// Ends the pump, and returns the rows that were received.
    func stop() -> [Row] {
        condition.lock()
        defer { condition.unlock() }
        isStopping = true
        condition.broadcast()
        while isRunning { condition.wait() }
        defer { batches = [] }
        return batches.flatMap(\.self)
    }

    private func run() {
        var row = PostgresRow()
        var batch: [Row] = []
        var byteCount = 0
        repeat {
            batch = []
            byteCount = 0
            while batch.count < Self.mostRows, byteCount < Self.mostBytes {
                // Nobody waits for rows that are there.
                guard batch.isEmpty || !connection.mustWait else { break }
                guard let size = receive(&row, into: &batch) else { return end(after: batch) }
                byteCount += size
            }
        } while pass(batch)
    }

    /// Receives a row, and returns its size in bytes, or `nil` if there is none.
    private func receive(_ row: inout PostgresRow, into batch: inout [Row]) -> Int? {
        guard let result = try? connection.nextResult() else {
            hasEnded = true
            return nil
        }
        guard result.status == PGRES_SINGLE_TUPLE else {
            connection.putBack(result)
            return nil
        }
        do {
            batch.append(try result.make(make, &row))
            return result.size
        } catch {
            failure = error
            return nil
        }
    }

    /// Passes rows on, and returns whether there should be more.
    private func pass(_ batch: [Row]) -> Bool {
        condition.lock()
        defer { condition.unlock() }
        batches.append(batch)
        condition.broadcast()
        while batches.count >= Self.mostBatches, !isStopping { condition.wait() }
        if isStopping { isRunning = false }
        condition.broadcast()
        return isRunning
    }

    private func end(after batch: [Row]) {
        condition.lock()
        defer { condition.unlock() }
        if !batch.isEmpty { batches.append(batch) }
        isRunning = false
        condition.broadcast()
    }
}
