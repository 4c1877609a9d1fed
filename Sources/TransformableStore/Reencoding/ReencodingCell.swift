internal import Dispatch
internal import Foundation
internal import GRDB
internal import Synchronization
internal import Transformable

/// A cell that is to be written anew, as it was read.
struct ReencodingCell: Sendable {
    /// The number of the object that it is of.
    let number: Int64
    /// The cell, alone in its row.
    let row: PackedRow
    /// The blob that it names, open since then; nil if it names none.
    private(set) var blob: BlobFile?
    /// Why the blob that it names cannot be had.
    private(set) var failure: StoreError?

    /// How much of a batch the cell takes: files are few in each, since every one is open.
    var size: Int { row.size + (blob.map { max(Int($0.record.length), 1 << 17) } ?? 0) }

    init(number: Int64, row: PackedRow) {
        self.number = number
        self.row = row
    }

    /// Opens the blob that the cell names.
    mutating func open(in folder: BlobFolder, at place: TransformContext, on database: Database) throws {
        guard let uuid = BlobRecord.uuid(in: row, 0) else { return }
        do {
            blob = try BlobFile(BlobRecord.find(uuid, at: place, on: database), in: folder)
        } catch let error as StoreError where [.missingBlob, .damagedBlob].contains(error.code) {
            failure = error
        }
    }

    /// The cell with its blob's bytes in place of the blob's name.
    func filled(_ attribute: StoredAttribute, at place: TransformContext) throws -> PackedRow {
        if let failure { throw failure }
        guard let blob else { return row }
        let source = ValueSource(.file(blob), of: attribute, at: place, IdentityTransformer<Data>())
        return try PackedRow(single: .blob(ValueStream(source).readAll()))
    }
}

extension Sequence<ReencodingCell> {
    /// Runs a body over the cells on all cores, and gives what it gives in their order.
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
