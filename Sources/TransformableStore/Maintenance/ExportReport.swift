/// What an export has written.
public struct ExportReport: Sendable, Hashable {
    /// How many objects.
    public internal(set) var objectCount = 0
    /// How many files with the bytes of one value each.
    public internal(set) var fileCount = 0
    /// How many values could not be decoded; their bytes are in files as they were stored, if there are any.
    public internal(set) var undecodableCount = 0
    /// How many of these did not open: their key is not here or has been retired, or it is not the one that sealed
    /// them.
    public internal(set) var unopenedCount = 0
}

/// What an export writes.
public enum ExportContents: Sendable {
    /// Every object, and every value.
    case everything
    /// Only the bytes of values that cannot be decoded.
    case undecodable
}
