internal import TransformableModel
internal import TransformableStore

/// Rows as bytes of a COPY.
final class CopyPackage: RowPackage {
    private let rows: RowInsertion
    private var pieces = [CopyPiece()]

    init(_ rows: RowInsertion) {
        self.rows = rows
    }

    var byteCount: Int { pieces.reduce(0) { $0 + $1.buffer.count } }

    func append(_ row: [ColumnValue]) throws {
        var piece = pieces[pieces.endIndex - 1]
        if piece.buffer.count >= PostgresCopyWriter.chunkSize {
            piece = CopyPiece()
            pieces.append(piece)
        }
        try rows.append(row, to: &piece.buffer)
    }

    @unsafe func forEachPiece(_ body: (UnsafeRawBufferPointer) throws -> Void) rethrows {
        for piece in pieces { try unsafe body(piece.buffer.bytes) }
    }
}

/// Whole rows that are passed to libpq together.
private final class CopyPiece {
    // The last row may exceed the size.
    var buffer = WireBuffer(capacity: 2 * PostgresCopyWriter.chunkSize)
}
