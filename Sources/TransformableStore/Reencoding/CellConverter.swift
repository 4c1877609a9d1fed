internal import Foundation
internal import Transformable

/// Converts the cells of a column, or the blobs that they refer to, outside of any transaction.
struct CellConverter {
    /// A cell along with its result: a new cell, or a file that has not been published yet.
    typealias Converted = (cell: ReencodingCell, result: CellConversion.Result, pending: PendingBlob?)

    struct Outcome {
        var results: [Converted] = []
        var failures: [(number: Int64, error: StoreError)] = []
    }

    private let column: ReencodingPlan.Column
    private let store: UUID
    private let streams: BlobConversion?

    init(column: ReencodingPlan.Column, store: UUID, blobs: BlobStorage?) {
        self.column = column
        self.store = store
        streams = blobs.flatMap { blobs in
            column.conversion.streams
                .map { BlobConversion(attribute: column.old, storage: blobs, old: $0.old, new: $0.new) }
        }
    }

    /// Converts cells on all cores, and then blobs that are processed in pieces one by one.
    func convert(_ cells: [ReencodingCell]) throws -> Outcome {
        var wholes = cells.filter { streams == nil || $0.blob == nil }.onAllCores(convertWhole)[...]
        var outcome = Outcome()
        for cell in cells {
            do {
                if let streams, let blob = cell.blob {
                    outcome.results.append(try convert(blob, of: cell, streams))
                } else if let result = wholes.popFirst() {
                    outcome.results.append((cell, try result.get(), nil))
                }
            } catch {
                let error = column.old.located(error, .undecodable, number: cell.number)
                // These errors are not caused by the cell.
                guard ![.diskFull, .inputOutput, .cannotCreate, .cannotOpen].contains(error.code) else { throw error }
                outcome.failures.append((cell.number, error))
            }
        }
        return outcome
    }

    private func convertWhole(_ cell: ReencodingCell) -> Result<CellConversion.Result, any Error> {
        Result {
            let place = column.place(cell, store)
            let result = try column.conversion.convert(cell.filled(column.old, at: place), at: place)
            guard column.conversion.keepsValues else { return result }
            // The cell continues to refer to its blob.
            return CellConversion.Result(cell: cell.row.value(0), projections: result.projections)
        }
    }

    private func convert(_ blob: BlobFile, of cell: ReencodingCell, _ streams: BlobConversion) throws -> Converted {
        let pending = try streams.convert(blob, at: column.place(cell, store))
        guard pending.length <= column.new.description.externalThreshold ?? 0 else {
            return (cell, CellConversion.Result(cell: .null, projections: nil), pending)
        }
        // A small value is stored in its cell.
        return (cell, CellConversion.Result(cell: .blob(try pending.contents()), projections: nil), nil)
    }
}
