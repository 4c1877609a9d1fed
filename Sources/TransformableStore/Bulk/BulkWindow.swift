internal import Foundation

/// The chunks of a bulk insertion that are being encoded, in order.
///
/// Other threads encode them while the writer takes the oldest one.
final class BulkWindow<Element: Sendable> {
    let entity: StoredEntity
    /// The number of elements whose rows were returned.
    private(set) var count = 0
    private var source: BulkSource<Element>
    private let encoder: BulkEncoder<Element>
    private var chunks: [BulkChunk] = []
    // Keeps all cores busy.
    private let fewest = ProcessInfo.processInfo.activeProcessorCount * 2 + 1
    // Keeps them busy while a server does not read, in little memory.
    private static var most: Int { 16 }
    private static var mostBytes: Int { 4 << 20 }
    // The size of a row in the last chunk that was returned.
    private var rowByteCount = mostBytes

    init(_ source: BulkSource<Element>, _ encoder: BulkEncoder<Element>) {
        self.source = source
        self.encoder = encoder
        entity = encoder.entity
    }

    /// Whether rows are turned into the bytes to send.
    var isPackaging: Bool { encoder.packaging != nil }

    /// Returns the oldest chunk and its rows, or `nil` after the last one.
    func next(in context: StoreContext) throws -> (chunk: BulkChunk, rows: BulkRows)? {
        while !isFull, let chunk = try source.next(encoder, in: context) { chunks.append(chunk) }
        guard !chunks.isEmpty else { return nil }
        let chunk = chunks.removeFirst()
        guard let rows = try chunk.rows() else { return nil }
        rowByteCount = rows.byteCount / chunk.count
        source.note(rowByteCount: rowByteCount)
        count += chunk.count
        return (chunk, rows)
    }

    private var isFull: Bool {
        guard isPackaging, chunks.count >= fewest, chunks.count < Self.most else { return chunks.count >= fewest }
        return chunks.reduce(0) { $0 + $1.count } * rowByteCount >= Self.mostBytes
    }

    /// Abandons the chunks whose rows are not needed.
    func abandon() {
        for chunk in chunks { chunk.abandon() }
    }
}

/// A chunk of a bulk insertion, whose elements are turned into rows.
struct BulkChunk {
    /// The number of the first element's object.
    let first: Int64
    /// The position of the first element in its sequence.
    let place: Int
    let count: Int
    private let work: SharedWork<Result<BulkRows, any Error>>

    /// Has another thread encode the elements.
    init<Element>(
        _ elements: [Element],
        numberedFrom first: Int64,
        at place: Int,
        _ encoder: BulkEncoder<Element>
    ) {
        self.first = first
        self.place = place
        count = elements.count
        work = SharedWork { Result { try encoder.rows(of: elements, numberedFrom: first, at: place) } }
    }

    /// Abandons a chunk whose rows are not needed.
    ///
    /// Afterward, no thread works on it.
    func abandon() { work.abandon() }

    /// Returns the rows, or `nil` if the chunk was abandoned.
    ///
    /// Call this only once.
    func rows() throws -> BulkRows? { try work.result()?.get() }
}
