/// What a migration passes on to a program's steps, and which of it the steps have handled.
final class MigrationRecord {
    /// The file's metadata before the migration.
    let old: Metadata
    let succession: Succession
    /// The steps between the two versions.
    let steps: [MigrationStep]
    /// The destinations of the file's references.
    private(set) var references: ReferenceSuccession
    /// The unique indexes of the file.
    private var uniqueIndexes: UniqueIndexes?
    /// The relationships that cannot hold all references of the file.
    private(set) var faults: [ReferenceFaults.Fault] = []
    /// The numbers of the attributes whose columns steps have read or intentionally ignored.
    private var attributes: Set<UInt32> = []
    /// The same for the links of the file.
    private var links: Set<Int> = []
    /// The attributes that steps must set for every object, by their names in the new model.
    private var empty: Set<Place> = []

    private struct Place: Hashable {
        let entity: String
        let attribute: String
    }

    init(from old: Metadata, to model: Model, _ steps: [MigrationStep]) {
        self.old = old
        self.steps = steps
        succession = Succession(from: old.model, to: model, hasSteps: !steps.isEmpty)
        references = ReferenceSuccession(succession)
    }

    /// Finds the relationships that cannot hold all references of the file, and the unique indexes that it has.
    func examine(_ connection: any EngineConnection) throws {
        uniqueIndexes = try UniqueIndexes(on: connection)
        faults = try ReferenceFaults(references: references, connection: connection).find()
        references.crowded = Set(faults.flatMap(\.crowd))
    }

    /// Throws an error if it is ambiguous what continues what, or if references would be lost or missing and there is
    /// no step that may handle them.
    func requireMigration(on connection: any EngineConnection) throws {
        try succession.requireClearNames()
        try requireSameTenants()
        try examine(connection)
        if steps.isEmpty { try faults.map(\.error).throwFirst() }
    }

    /// Returns a Boolean value that indicates whether the file ensures that the combined values of columns are unique.
    ///
    /// A file from an earlier version does not ensure that of all groups that an entity inherits.
    ///
    /// - Parameters:
    ///   - columns: The columns of the file.
    ///   - entity: The name of an entity in the file.
    /// - Returns: Whether it has a unique index of these columns.
    func enforces(_ columns: [String], of entity: String) -> Bool {
        uniqueIndexes?.contains(columns, of: entity) == true
    }

    /// Records that a step has handled the old values of an attribute.
    func take(_ attribute: UInt32) {
        attributes.insert(attribute)
    }

    func isTaken(_ attribute: UInt32) -> Bool {
        attributes.contains(attribute)
    }

    /// Records that a step has handled the references of a link of the file.
    func take(link: Int) {
        links.insert(link)
    }

    /// Notes that steps must set an attribute, because objects have no value and it is not optional.
    func leaveToSteps(_ attribute: String, of entity: String) {
        empty.insert(Place(entity: entity, attribute: attribute))
    }

    func isLeftToSteps(_ attribute: String, of entity: String) -> Bool {
        empty.contains(Place(entity: entity, attribute: attribute))
    }

    /// Returns the first relationship whose references would be lost without being handled by a step, or `nil` if there
    /// is none.
    var untaken: ReferenceFaults.Fault? {
        faults.first { fault in !fault.links.allSatisfy(links.contains) }
    }
}

// MARK: - Tenants

extension MigrationRecord {
    /// Throws an error if a migration would have to move objects to tenants, or away from them.
    private func requireSameTenants() throws(StoreError) {
        if let fault = stepFault { throw fault }
        for entity in succession.model.entities where !entity.isAbstract {
            guard let fault = tenancyFault(of: entity) else { continue }
            throw StoreError(.unsupported, fault, entity: entity.name)
        }
    }

    /// The reason why the migration's steps cannot run, or `nil` if they can.
    var stepFault: StoreError? {
        guard !succession.model.hasTenants, let step = steps.first(where: \.isShared) else { return nil }
        return StoreError(.misuse, "\(step.name) is for shared objects, but the model has no tenants")
    }

    /// Returns the reason why the objects of an entity cannot begin or cease to belong to tenants, or `nil` if they do
    /// neither.
    ///
    /// Values that are bound to a tenant would have to be sealed again, and references checked.
    func tenancyFault(of entity: EntityDescription) -> String? {
        guard let oldName = succession.oldName(of: entity) else { return nil }
        let belongs = succession.model.belongsToTenants(entity.name)
        guard belongs != old.model.belongsToTenants(oldName) else { return nil }
        return """
            its objects \(belongs ? "belong to no tenant" : "belong to tenants") in the file; create a new store with the \
            model, and import an export of this one in whose lines you have \
            \(belongs ? "added “_tenant”" : "removed “_tenant”"), as the article “Tenants” describes
            """
    }

    // MARK: Steps

    /// Returns the tenants that have objects after a migration's tables have changed, or that had objects of an entity
    /// that was dropped.
    func tenants(on connection: any EngineConnection) throws -> [Int64] {
        guard succession.model.hasTenants else { return [] }
        let model = succession.model
        let live = model.entities.filter { !$0.isAbstract && model.belongsToTenants($0.name) }.map(\.name)
        let dropped = succession.droppedEntities.filter { old.entities[$0] != nil && old.model.belongsToTenants($0) }
            .map { SetAside.name($0, old.model.version) }
        let tables = (live + dropped).map { SQL.main(TableName($0)) }
        let lists = try tables.map { table in
            try connection.rows("SELECT DISTINCT \(TenantColumn.name) FROM \(table)", count: 1)
                .filter { !$0.isNull(0) }
                .map { $0.integer(0) }
        }
        return Set(lists.joined()).sorted()
    }

    /// Returns the parts of the store for each of which a step runs.
    func scopes(of step: MigrationStep, _ tenants: [Int64]) -> [TenantScope] {
        guard succession.model.hasTenants else { return [.undivided] }
        return step.isShared ? [.shared] : tenants.map(TenantScope.tenant)
    }
}
