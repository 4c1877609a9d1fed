/// A requirement that every migration must meet.
public enum MigrationLaw: String, Sendable, Hashable, CaseIterable {
    /// A store of an older version can be opened with a newer model.
    case opens
    /// The migration fails if and only if the plan contains a refusal.
    case plan
    /// The migrated store is sound: its tables, references, values, projections, and files.
    case soundness
    /// Opening the store again changes nothing.
    case repetition
    /// The result does not depend on the path of versions that leads to it.
    case paths
    /// If the process is killed, the store has either the old or the new version, and the migration can be completed.
    case kills
}

/// A violation of a migration law.
public struct MigrationViolation: Sendable, Hashable {
    /// The law.
    public let law: MigrationLaw
    /// The version before the migration.
    public let oldVersion: Int
    /// The version after the migration.
    public let newVersion: Int
    /// A description of what happened.
    ///
    /// It contains names and numbers, but never values.
    public let message: String
}

extension MigrationViolation: CustomStringConvertible {
    /// The versions, the law, and the message.
    public var description: String {
        "from version \(oldVersion) to \(newVersion), \(law.rawValue): \(message)"
    }
}

/// The result of a migration test.
public struct MigrationTestResult: Sendable, Hashable {
    /// Reports about the data of each version after its migration to each newer version.
    public internal(set) var reports: [MigrationReport] = []
    /// The violations that were found.
    public internal(set) var violations: [MigrationViolation] = []
}
