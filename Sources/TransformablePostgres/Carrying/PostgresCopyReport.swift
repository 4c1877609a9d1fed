public import TransformableModel

/// What a copy between a file and a PostgreSQL database consists of.
public struct PostgresCopyReport: Sendable {
    /// The number of objects.
    public internal(set) var objectCount = 0
    /// The number of external values.
    public internal(set) var blobCount = 0
    /// The external values that are missing or damaged, in the original as well as in the copy.
    public internal(set) var faults: [StoreError] = []
    /// The tables in the store's file that do not belong to the store, and were not copied.
    public internal(set) var otherTables: [String] = []
    /// The indexes that were left out, because an index of PostgreSQL cannot hold values of more than some 2,700 bytes.
    ///
    /// A part of a copy that was interrupted is not included.
    public internal(set) var omittedIndexes: [String] = []
    /// Whether the copy continued one that was interrupted.
    public internal(set) var isContinuation = false
}
