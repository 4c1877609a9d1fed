extension MigrationRecord {
    /// Throws an error if a migration would have to move objects to tenants, or away from them.
    func requireSameTenants() throws(StoreError) {
        if let fault = stepFault { throw StoreError(.unsupported, fault) }
        for entity in succession.model.entities where !entity.isAbstract {
            guard let fault = tenancyFault(of: entity) else { continue }
            throw StoreError(.unsupported, fault, entity: entity.name)
        }
    }

    /// The reason why the migration's steps cannot run, or `nil` if they can.
    ///
    /// A step sees all objects, and could not tell which tenant a new one belongs to.
    var stepFault: String? {
        guard succession.model.hasTenants, !steps.isEmpty else { return nil }
        return "migration steps cannot run if the model has tenants; change the objects after the migration"
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
            model, and import the objects from an export of this one
            """
    }
}
