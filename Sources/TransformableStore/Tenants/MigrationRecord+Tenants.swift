extension MigrationRecord {
    /// Throws an error if a migration would have to move objects to tenants, or away from them.
    func requireSameTenants() throws(StoreError) {
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

    // MARK: - Steps

    /// Returns the tenants that have objects after a migration's tables have changed, or that had objects of an entity
    /// that was dropped.
    func tenants(on connection: any EngineConnection) throws -> [Int64] {
        guard succession.model.hasTenants else { return [] }
        let model = succession.model
        let live = model.entities.filter { !$0.isAbstract && model.belongsToTenants($0.name) }.map(\.name)
        let dropped = succession.droppedEntities.filter { old.entities[$0] != nil && old.model.belongsToTenants($0) }
            .map { "_dropped.\($0).\(old.model.version)" }
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
