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
                guard !error.concernsAccessToFiles else { throw error }
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

/// Converts a blob to what another transformer would have written, using a constant amount of memory.
///
/// The result is read back and compared by a digest before it is used.
private struct BlobConversion {
    let attribute: StoredAttribute
    let storage: BlobStorage
    let old: any StreamTransformer
    let new: any StreamTransformer

    /// Converts a blob.
    ///
    /// - Returns: A file that has not been published yet.
    /// - Throws: `StoreError` if the blob is damaged or cannot be opened, or if nothing can be written.
    func convert(_ blob: BlobFile, at place: TransformContext) throws -> PendingBlob {
        let pieces = try ValueStream(ValueSource(.file(blob), of: attribute, at: place, old))
        let pending = try PendingBlob(in: storage)
        let encoder = try new.encodingStream(in: place)
        var digest = BlobDigest()
        while let piece = try pieces.next() {
            digest.add(piece)
            try encoder.push(piece) { try pending.write($0) }
        }
        try encoder.finish { try pending.write($0) }
        guard try self.digest(of: pending, at: place) == digest.finish() else {
            throw TransformerError(.invalidValue, "the new bytes do not decode to the same value")
        }
        return pending
    }

    /// Returns the digest of what the new bytes decode to.
    private func digest(of pending: PendingBlob, at place: TransformContext) throws -> Data {
        let decoder = try new.decodingStream(in: place)
        var reader = pending.reader
        var digest = BlobDigest()
        while case let piece = try reader.read(upTo: 1 << 16), !piece.isEmpty {
            try decoder.push(piece) { digest.add($0) }
        }
        try decoder.finish { digest.add($0) }
        return digest.finish()
    }
}
