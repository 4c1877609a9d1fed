public import TransformableStore

/// A report about a migration: the numbers of objects and values that were kept, changed, added, and dropped.
public struct MigrationReport: Sendable, Hashable {
    /// The version before the migration.
    public var oldVersion: Int { plan.oldVersion }
    /// The version after the migration.
    public var newVersion: Int { plan.newVersion }
    /// The migration plan.
    public let plan: MigrationPlan
    /// The entries of each entity, followed by those of its attributes and relationships.
    ///
    /// Entities that the new version lacks come last.
    public let entries: [Entry]

    /// The outcome for the objects of an entity, or for the values of an attribute or a relationship.
    public struct Entry: Sendable, Hashable {
        /// The name of the entity in the new version, or in the old version if the new one lacks it.
        public let entity: String
        /// The name of the attribute or relationship, or nil if the entry is about the objects.
        public let name: String?
        /// The name in the old version, if it differs.
        public let formerName: String?
        /// The number of objects or values that are unchanged.
        public internal(set) var kept = 0
        /// The number of values that changed, which is always 0 for objects.
        public internal(set) var changed = 0
        /// The number of objects or values that were added.
        public internal(set) var added = 0
        /// The number of objects or values that were dropped.
        public internal(set) var dropped = 0
    }
}

extension MigrationReport {
    /// Returns the entry for an entity, an attribute, or a relationship.
    ///
    /// - Parameters:
    ///   - entity: The name of the entity, in the new version if it exists there.
    ///   - name: The name of the attribute or relationship, or nil for the objects.
    /// - Returns: The entry, or nil if neither version has it.
    public func entry(_ entity: String, _ name: String? = nil) -> Entry? {
        entries.first { $0.entity == entity && $0.name == name }
    }
}

extension MigrationReport.Entry: CustomStringConvertible {
    /// The entry on one line, for example `Member.name, formerly fullName: 3 kept, 1 changed`.
    public var description: String {
        let place = [entity, name].compactMap(\.self).joined(separator: ".")
        let counts = [(kept, "kept"), (changed, "changed"), (added, "added"), (dropped, "dropped")]
            .filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
        let former = formerName.map { ", formerly \($0)" } ?? ""
        return "\(place)\(former): \(counts.isEmpty ? "none" : counts.joined(separator: ", "))"
    }
}

extension MigrationReport: CustomStringConvertible {
    /// The versions and the entries, one per line.
    public var description: String {
        (["version \(oldVersion) to \(newVersion)"] + entries.map(\.description)).joined(separator: "\n")
    }
}
