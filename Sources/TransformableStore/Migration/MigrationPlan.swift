package import Transformable

/// A plan of a store's migration to another model, entity by entity and column by column.
///
/// ```swift
/// let plan = try Store.plan(at: url, model: model, transformers: registry)
/// print(plan)
/// // Patient: kept, 1200 objects
/// // Patient.fullName: renamed from “name”
/// // Patient.note: set aside
/// guard plan.refusals.isEmpty else { return }
/// ```
///
/// Creating a plan only reads the file. Values are counted but not decoded, so no keys are required.
public struct MigrationPlan: Sendable, Hashable {
    /// The version of the model in the file.
    public let oldVersion: Int
    /// The version of the new model.
    public let newVersion: Int
    /// The changes to each entity, each followed by the changes to its columns.
    public let changes: [Change]

    /// The changes that cannot be made.
    ///
    /// If there are any, the migration fails.
    public var refusals: [Change] {
        changes.filter { if case .refused = $0.outcome { true } else { false } }
    }

    /// Whether the tables and columns of the file already match the model.
    ///
    /// Parts of the model that they do not depend on, such as default values and fetch requests, may differ.
    public var changesNothing: Bool {
        oldVersion == newVersion && changes.allSatisfy { $0.outcome == .kept }
    }

    /// Returns a Boolean value that indicates whether an attribute is new, even if a step converts values to it.
    func adds(_ attribute: String, to entity: String) -> Bool {
        changes.contains {
            $0.subject == .attribute && $0.outcome == .added && $0.entity == entity && $0.name == attribute
        }
    }
}

extension MigrationPlan {
    /// A change to an entity or to one of its columns.
    public struct Change: Sendable, Hashable {
        /// The kind of thing that changes.
        public let subject: Subject
        /// The entity's name in the new model, or in the file for an entity that the new model has dropped.
        public let entity: String
        /// The column's name, in the same way, or `nil` if the change concerns the entity or the model.
        public let name: String?
        /// The outcome of the change.
        public let outcome: Outcome
        /// Short notes, such as how many objects there are or what becomes optional.
        public let notes: [String]
    }

    /// The kind of thing that changes.
    public enum Subject: String, Sendable, Hashable, CaseIterable {
        /// The model as a whole.
        case model
        /// An entity, along with its table.
        case entity
        /// An attribute, along with its column.
        case attribute
        /// A relationship, along with its column or table of pairs.
        case relationship
        /// A column that is computed from attributes.
        case projection
        /// A group of attributes whose combined values must be unique.
        case uniqueGroup = "unique-group"
        /// An index over several columns, or in descending order.
        case index
        /// The tags that authenticate an entity's rows.
        ///
        /// Every migration reads and writes each row that has a tag before or after it.
        case rowTags = "row-tags"
    }

    /// The outcome of a change.
    public enum Outcome: Sendable, Hashable {
        /// The values are kept.
        case kept
        /// The values are kept under a new name.
        case renamed(from: String)
        /// The entity, attribute, or other part is new.
        case added
        /// The values are re-encoded with a different transformer, or with none.
        case reencoded(from: String, to: String)
        /// The values are recomputed.
        case recomputed
        /// The new model has dropped the entity, attribute, or other part.
        ///
        /// The values are kept in the file until they are discarded.
        case setAside
        /// The new model has dropped the part, and none of it is kept.
        case dropped
        /// The change cannot be made for the given reason.
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
        case .recomputed: "recomputed"
        case .setAside: "set aside"
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
        let place = [entity, name].compactMap(\.self).joined(separator: ".")
        return subject == .rowTags ? "\(place) (row tags)" : place
    }
}

extension MigrationPlan: CustomStringConvertible {
    /// The changes, one per line.
    public var description: String {
        changes.map(\.description).joined(separator: "\n")
    }
}

extension Store {
    /// Returns a plan of the migration of a store to another version of the model.
    ///
    /// - Parameters:
    ///   - model: The new model.
    ///   - registry: The registry of transformers.
    ///   - options: The options that the store would be opened with.
    ///   - migrations: The steps of all versions.
    ///   - open: A closure that opens the store with its own model and the given options.
    /// - Returns: The plan.
    /// - Throws: `StoreError` if the store cannot be read or steps overlap, and errors thrown by the closure.
    package static func plan(
        for model: Model,
        transformers registry: TransformerRegistry,
        options: Options,
        migrations: [MigrationStep],
        opening open: (Options) throws -> Store
    ) throws -> MigrationPlan {
        let steps = try MigrationSteps(migrations)
        let model = try model.statingStages(by: registry)
        var reading = Options(opening: .readOnly, unresolved: .keepBytes, busyTimeout: options.busyTimeout)
        reading.isBrief = true
        reading.acceptsUnauthenticatedModel = options.acceptsUnauthenticatedModel
        let store = try open(reading)
        defer { try? store.close() }
        return try store.readTables { connection in
            let old = try Metadata(reading: connection)
            let applicable = steps.applicable(from: old.model.version, to: model.version)
            let record = MigrationRecord(from: old, to: model, applicable)
            var planner = MigrationPlanner(record, registry, options, on: connection)
            return try planner.run()
        }
    }
}
