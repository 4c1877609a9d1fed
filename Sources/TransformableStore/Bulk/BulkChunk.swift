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
