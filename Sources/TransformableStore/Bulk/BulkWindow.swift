internal import Foundation

/// The chunks of a bulk insertion that are being encoded, in order.
///
/// Other threads encode them while the writer takes the oldest one.
final class BulkWindow<Element: Sendable> {
    let entity: StoredEntity
    /// The number of elements whose cells were returned.
    private(set) var count = 0
    private var source: BulkSource<Element>
    private let encoder: BulkEncoder<Element>
    private var chunks: [BulkChunk] = []
    // Keeps all cores busy.
    private let size = ProcessInfo.processInfo.activeProcessorCount * 2 + 1

    init(_ source: BulkSource<Element>, _ encoder: BulkEncoder<Element>) {
        self.source = source
        self.encoder = encoder
        entity = encoder.entity
    }

    /// Returns the oldest chunk and the cells of its rows, or `nil` after the last one.
    func next(in context: StoreContext) throws -> (chunk: BulkChunk, cells: [ColumnValue])? {
        while chunks.count < size, let chunk = try source.next(encoder, in: context) { chunks.append(chunk) }
        guard !chunks.isEmpty else { return nil }
        let chunk = chunks.removeFirst()
        let cells = try chunk.cells()
        source.note(cells)
        count += chunk.count
        return (chunk, cells)
    }

    /// Abandons the chunks whose cells are not needed.
    func abandon() {
        for chunk in chunks { chunk.abandon() }
    }
}

/// A chunk of a bulk insertion, whose elements are turned into the cells of their rows.
struct BulkChunk {
    /// The number of the first element's object.
    let first: Int64
    /// The position of the first element in its sequence.
    let place: Int
    let count: Int
    private let work: SharedWork<Result<[ColumnValue], any Error>>

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
        work = SharedWork { Result { try encoder.cells(of: elements, numberedFrom: first, at: place) } }
    }

    /// Abandons a chunk whose cells are not needed.
    ///
    /// Afterward, no thread works on it.
    func abandon() { work.abandon() }

    /// Returns the cells of all rows.
    ///
    /// Call this only once.
    func cells() throws -> [ColumnValue] { try work.result()?.get() ?? [] }
}
