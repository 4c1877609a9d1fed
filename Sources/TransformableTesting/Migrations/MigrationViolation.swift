/// What a migration owes to the data.
public enum MigrationLaw: String, Sendable, Hashable, CaseIterable {
    /// A store of an older version opens by a newer one.
    case opens
    /// What the plan refuses fails, and nothing else does.
    case plan
    /// The store that comes of it is sound: tables, references, values, projections and files.
    case soundness
    /// Opening it again changes nothing.
    case repetition
    /// It makes no difference by way of which versions a store comes to another one.
    case paths
    /// A process that is killed leaves the old version or the new one, and the next one goes on from there.
    case kills
}

/// A law that a migration breaks, and how.
public struct MigrationViolation: Sendable, Hashable {
    /// The law.
    public let law: MigrationLaw
    /// The version that the store had.
    public let oldVersion: Int
    /// The version that it was brought to.
    public let newVersion: Int
    /// What happened: names and numbers, and never values.
    public let message: String
}

extension MigrationViolation: CustomStringConvertible {
    /// The versions, the law and the message.
    public var description: String {
        "from version \(oldVersion) to \(newVersion), \(law.rawValue): \(message)"
    }
}

/// What a test of migrations has found.
public struct MigrationTestResult: Sendable, Hashable {
    /// What became of the data of each version in each newer one.
    public internal(set) var reports: [MigrationReport] = []
    /// What must not be.
    public internal(set) var violations: [MigrationViolation] = []
}
