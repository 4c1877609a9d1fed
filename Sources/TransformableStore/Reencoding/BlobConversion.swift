internal import Foundation
internal import Transformable

/// Converts a blob to what another transformer would have written, using a constant amount of memory.
///
/// The result is read back and compared by a digest before it is used.
struct BlobConversion {
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
