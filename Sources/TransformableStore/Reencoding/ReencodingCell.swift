internal import Dispatch
internal import Foundation
internal import Synchronization
internal import Transformable

/// A cell to re-encode, as it was read.
struct ReencodingCell: PassRow, Sendable {
    /// The number of the cell's object.
    let number: Int64
    /// The tenant of the cell's object, or `nil` if it belongs to none.
    let tenant: Int64?
    /// A row that contains only the cell.
    let row: PackedRow
    /// The record of the blob that the cell refers to, or `nil` if there is none.
    private(set) var record: BlobRecord?
    /// The blob, opened when the cell was read.
    private(set) var blob: BlobFile?
    /// The reason why the blob cannot be opened.
    private(set) var failure: StoreError?

    /// The cell's share of a batch.
    ///
    /// A batch has few files, because all of them are open. A sparse file can have any length.
    var size: Int { row.size + (record.map { Int(min(max($0.length, 1 << 17), 1 << 40)) } ?? 0) }

    var cells: [ColumnValue] { [row.value(0)] }

    init(number: Int64, tenant: Int64?, row: PackedRow) {
        self.number = number
        self.tenant = tenant
        self.row = row
    }

    /// Keeps the record of the blob that the cell refers to.
    mutating func note(_ found: Result<BlobRecord, StoreError>) {
        switch found {
        case .success(let record): self.record = record
        case .failure(let error): failure = error
        }
    }

    /// Opens the blob that the cell refers to.
    mutating func open(_ opening: (BlobRecord) throws(StoreError) -> BlobFile) throws(StoreError) {
        guard let record else { return }
        do throws(StoreError) {
            blob = try opening(record)
        } catch {
            guard [.missingBlob, .damagedBlob].contains(error.code) else { throw error }
            failure = error
        }
    }

    /// Returns the cell with its blob's bytes instead of the reference.
    func filled(_ attribute: StoredAttribute, at place: TransformContext) throws -> PackedRow {
        if let failure { throw failure }
        guard let blob else { return row }
        let source = ValueSource(.file(blob), of: attribute, at: place, IdentityTransformer<Data>())
        return try PackedRow(single: .blob(ValueStream(source).readAll()))
    }
}

extension Sequence<ReencodingCell> {
    /// Calls a closure for each cell, on all cores, and returns the results in order.
    func onAllCores<Output: Sendable>(
        _ body: @Sendable (ReencodingCell) -> Output
    ) -> [Output] {
        let cells = Array(self)
        let share = 32
        let starts = Array(stride(from: 0, to: cells.count, by: share))
        let parts = Mutex<[Int: [Output]]>([:])
        DispatchQueue.concurrentPerform(iterations: starts.count) { index in
            let part = cells[starts[index]..<Swift.min(starts[index] + share, cells.count)].map(body)
            parts.withLock { $0[index] = part }
        }
        return parts.withLock { parts in starts.indices.flatMap { parts[$0] ?? [] } }
    }
}
