/// A pass over the rows of an entity in batches, concurrently with readers and writers.
///
/// A batch is read in one transaction and written in another one. In between, nothing is locked, so a pass can be
/// interrupted after any batch, and continued after the position that it has reached. Rows that someone else has written
/// in the meantime are examined again.
struct RowPass<Row: PassRow> {
    private let entity: String
    private let store: Store
    private let blobs: BlobStorage?
    private var position: Int64?
    private var watch: PassGuard

    /// Begins a pass, or continues it.
    ///
    /// - Parameters:
    ///   - entity: The entity whose rows are processed.
    ///   - store: The store.
    ///   - blobs: Where the blobs are that the rows may refer to.
    ///   - position: The number of the last row that has been processed, or `nil` to begin with the first one.
    init(over entity: StoredEntity, in store: Store, blobs: BlobStorage?, after position: Int64? = nil) {
        self.entity = entity.name
        self.store = store
        self.blobs = blobs
        self.position = position
        watch = PassGuard(entity.name)
    }

    /// Reads the next rows, or returns an empty array at the end.
    ///
    /// The closure reads rows with larger numbers than the given one, in the order of their numbers.
    func next(_ body: (Int64?, any EngineConnection) throws -> [Row]) throws -> [Row] {
        try Task.checkCancellation()
        // Open files stay readable, so sweeps are prevented only as long as the snapshot exists.
        return try BlobFolder.holding(blobs?.folder) { hold in
            try store.readTables { connection in
                try hold?.confirm(on: connection)
                return try body(position, connection)
            }
        }
    }

    /// Moves on without writing.
    mutating func skip(_ rows: [Row]) {
        position = rows.last?.number
    }

    /// Writes rows in one transaction, and moves on to the rows after them.
    ///
    /// The first closure writes rows up to the first one that has changed since it was read, and returns that one. The
    /// second one records the position that has been reached, in the same transaction. Both run again from the beginning
    /// if another transaction was in their way.
    ///
    /// Another program that re-encodes the same attribute records its positions in the same job, and can be in the way of
    /// each attempt.
    mutating func write(
        _ rows: [Row],
        _ body: (any EngineConnection) throws -> Row?,
        finish: (Int64?, any EngineConnection) throws -> Void = { _, _ in }
    ) throws {
        let (start, former) = (position, watch)
        do {
            position = try store.engine.retrying {
                try store.changeRows { connection in
                    try store.watch.check(store.schema, on: connection)
                    watch = former
                    let missed = try body(connection)
                    if let missed { try watch.noteConflict(at: missed.number, missed.cells) }
                    let reached =
                        missed.map { missed in rows.last { $0.number < missed.number }?.number ?? start }
                        ?? rows.last?.number
                    try finish(reached, connection)
                    return reached
                }
            }
        } catch let error as StoreError where error.code == .transactionConflict {
            throw error.ofPass(over: entity)
        }
    }
}

extension StoreError {
    /// Returns the error of a batch that other transactions did not let through at any attempt.
    fileprivate func ofPass(over entity: String) -> Self {
        let remedy = "one program is enough, so wait until it has finished, or run this one again"
        var error = self
        error.message = """
            other transactions changed the same rows at each attempt; another program may be re-encoding the same \
            attribute: \(remedy)
            """
        error.entity = error.entity ?? entity
        return error
    }
}

/// A row of a pass, as it was read.
protocol PassRow {
    /// The number of the row's object.
    var number: Int64 { get }
    /// The cells that must be unchanged when the row is written.
    var cells: [ColumnValue] { get }
}
