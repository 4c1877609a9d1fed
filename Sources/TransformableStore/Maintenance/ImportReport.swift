/// What reading back an export has inserted.
public struct ImportReport: Sendable, Hashable {
    /// Makes the report of an import that has inserted nothing.
    public init() {}

    /// How many objects.
    public var objectCount: Int { objects.values.reduce(0, +) }
    /// How many files with the bytes of one value each were read.
    public internal(set) var fileCount = 0
    /// How many values were left out that the export could not read.
    public internal(set) var skippedCount = 0
    /// How many objects of each entity.
    var objects: [String: Int] = [:]
    /// How many references of each relationship from many to many, by the names of its entity and its own.
    var references: [String: Int] = [:]
}
