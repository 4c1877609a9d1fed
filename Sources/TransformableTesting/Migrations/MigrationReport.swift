public import TransformableStore

/// What became of the data of one version in another one: how many objects and values were kept, changed, added and
/// dropped.
public struct MigrationReport: Sendable, Hashable {
    /// The version that the store had.
    public var oldVersion: Int { plan.oldVersion }
    /// The version that it was brought to.
    public var newVersion: Int { plan.newVersion }
    /// What the plan had said.
    public let plan: MigrationPlan
    /// What became of each entity, followed by its attributes and relationships; then what the new version lacks.
    public let entries: [Entry]

    /// What became of the objects of an entity, or of the values of an attribute or a relationship.
    public struct Entry: Sendable, Hashable {
        /// The entity's name: in the new version, or in the old one where the new one lacks it.
        public let entity: String
        /// The name of the attribute or relationship, likewise; nil where the objects are meant.
        public let name: String?
        /// The name in the old version, where it is another one.
        public let formerName: String?
        /// How many are as they were.
        public internal(set) var kept = 0
        /// How many values are others; always 0 for objects.
        public internal(set) var changed = 0
        /// How many there were not.
        public internal(set) var added = 0
        /// How many there are no more.
        public internal(set) var dropped = 0
    }
}

extension MigrationReport {
    /// Finds what became of an entity, an attribute or a relationship.
    ///
    /// - Parameters:
    ///   - entity: The entity's name, in the new version if it is there.
    ///   - name: The name of the attribute or relationship; nil for the objects.
    /// - Returns: The entry; nil if neither version has it.
    public func entry(_ entity: String, _ name: String? = nil) -> Entry? {
        entries.first { $0.entity == entity && $0.name == name }
    }
}

extension MigrationReport.Entry: CustomStringConvertible {
    /// The entry on one line: `Member.name, formerly fullName: 3 kept, 1 changed`.
    public var description: String {
        let place = [entity, name].compactMap(\.self).joined(separator: ".")
        let counts = [(kept, "kept"), (changed, "changed"), (added, "added"), (dropped, "dropped")]
            .filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
        let former = formerName.map { ", formerly \($0)" } ?? ""
        return "\(place)\(former): \(counts.isEmpty ? "none" : counts.joined(separator: ", "))"
    }
}

extension MigrationReport: CustomStringConvertible {
    /// The versions, and the entries, each on a line.
    public var description: String {
        (["version \(oldVersion) to \(newVersion)"] + entries.map(\.description)).joined(separator: "\n")
    }
}
