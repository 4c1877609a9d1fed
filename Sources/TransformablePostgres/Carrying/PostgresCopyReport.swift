public import TransformableModel

/// A report about a copy between a file and a PostgreSQL database.
public struct PostgresCopyReport: Sendable {
    /// The number of objects.
    public internal(set) var objectCount = 0
    /// The number of external values.
    public internal(set) var blobCount = 0
    /// The external values that are missing or damaged, both in the original and in the copy.
    public internal(set) var faults: [StoreError] = []
    /// The tables in the store's file that do not belong to the store, and were not copied.
    public internal(set) var otherTables: [String] = []
    /// The indexes that were left out, because a PostgreSQL index cannot hold values of more than about 2,700 bytes.
    public internal(set) var omittedIndexes: [String] = []
    /// Whether the copy continued one that was interrupted.
    public internal(set) var isContinuation = false
}
