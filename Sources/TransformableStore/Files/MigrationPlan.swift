/// What bringing a store to another model would do, entity by entity and column by column, before anything is done.
///
/// ```swift
/// let plan = try Store.plan(at: url, model: model, transformers: registry)
/// print(plan)
/// // Patient: kept, 1200 objects
/// // Patient.fullName: renamed from “name”
/// // Patient.note: kept aside
/// guard plan.refusals.isEmpty else { return }
/// ```
///
/// A plan is made by reading. Values are counted, not decoded, so that no key is needed to make one.
public struct MigrationPlan: Sendable, Hashable {
    /// The version of the model in the file.
    public let oldVersion: Int
    /// The version of the model that was asked for.
    public let newVersion: Int
    /// What happens to each entity, followed by what happens to its columns.
    public let changes: [Change]

    /// The changes that are refused; the migration fails while there are any.
    public var refusals: [Change] {
        changes.filter { if case .refused = $0.outcome { true } else { false } }
    }

    /// Whether the file is as the model says already.
    public var changesNothing: Bool {
        oldVersion == newVersion && changes.allSatisfy { $0.outcome == .kept }
    }
}

extension MigrationPlan {
    /// What happens to one entity, or to one of its columns.
    public struct Change: Sendable, Hashable {
        /// What it happens to.
        public let subject: Subject
        /// The entity's name: in the new model, or in the file for an entity that the new model lacks.
        public let entity: String
        /// The name of the column, in the same way; nil where the entity or the model is meant.
        public let name: String?
        /// What happens.
        public let outcome: Outcome
        /// What is worth knowing beside that, each a few words: how many objects there are, what becomes optional.
        public let notes: [String]
    }

    /// What a change happens to.
    public enum Subject: String, Sendable, Hashable, CaseIterable {
        /// The model as a whole.
        case model
        /// An entity, with its table.
        case entity
        /// An attribute, with its column.
        case attribute
        /// A relationship, with its column or its table of pairs.
        case relationship
        /// A column computed from attributes.
        case projection
        /// A group of attributes whose values together occur once.
        case uniqueGroup = "unique-group"
    }

    /// What happens to it.
    public enum Outcome: Sendable, Hashable {
        /// Its values stay as they are.
        case kept
        /// Its values stay as they are, under another name.
        case renamed(from: String)
        /// It is new.
        case added
        /// Its values are written anew by another transformer, or by none.
        case reencoded(from: String, to: String)
        /// Its values are computed again.
        case recomputed
        /// The new model lacks it; its values stay in the file until they are discarded.
        case keptAside
        /// The new model lacks it, and nothing of it stays.
        case dropped
        /// It cannot be done, for this reason.
        case refused(reason: String)
    }
}

extension MigrationPlan.Outcome: CustomStringConvertible {
    /// The outcome in words.
    public var description: String {
        switch self {
        case .kept: "kept"
        case .renamed(let name): "renamed from “\(name)”"
        case .added: "added"
        case .reencoded(let old, let new): "re-encoded from “\(old)” to “\(new)”"
        case .recomputed: "computed again"
        case .keptAside: "kept aside"
        case .dropped: "dropped"
        case .refused(let reason): "refused: \(reason)"
        }
    }
}

extension MigrationPlan.Change: CustomStringConvertible {
    /// The change on one line: `Patient.fullName: renamed from “name”, gets an index`.
    public var description: String {
        "\(place): \(([outcome.description] + notes).joined(separator: ", "))"
    }

    private var place: String {
        guard subject != .model else { return "the model" }
        return [entity, name].compactMap(\.self).joined(separator: ".")
    }
}

extension MigrationPlan: CustomStringConvertible {
    /// The changes, each on a line.
    public var description: String {
        changes.map(\.description).joined(separator: "\n")
    }
}
