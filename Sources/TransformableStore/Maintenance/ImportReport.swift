/// The result of an import.
public struct ImportReport: Sendable, Hashable {
    /// Creates the report of an import that has inserted nothing.
    public init() {}

    /// The number of objects.
    public var objectCount: Int { objects.values.reduce(0, +) }
    /// The number of files with the bytes of one value that were read.
    public internal(set) var fileCount = 0
    /// The number of skipped values that the export could not read.
    public internal(set) var skippedCount = 0
    /// The number of objects, by entity.
    var objects: [String: Int] = [:]
    /// The number of references in each many-to-many relationship, by the names of its entity and the relationship.
    var references: [String: Int] = [:]
}
