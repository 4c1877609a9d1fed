/// The result of an export.
public struct ExportReport: Sendable, Hashable {
    /// The number of objects.
    public internal(set) var objectCount = 0
    /// The number of files with the bytes of one value.
    public internal(set) var fileCount = 0
    /// The number of values that could not be decoded.
    ///
    /// If they have stored bytes, these are in files.
    public internal(set) var undecodableCount = 0
    /// The number of these values that could not be opened, because their key is not available or has been retired, or
    /// because a different key sealed them.
    public internal(set) var unopenedCount = 0
    /// The name of the file in the export that lists the values that could not be decoded.
    ///
    /// Without such values, there is no such file.
    public internal(set) var failuresFile = "failures.jsonl"
}

/// The content of an export.
public enum ExportContents: Sendable {
    /// All objects and values.
    case everything
    /// Only the bytes of values that cannot be decoded.
    case undecodable
}

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
