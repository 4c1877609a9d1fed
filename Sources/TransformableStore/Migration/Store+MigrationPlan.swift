package import Transformable

extension Store {
    /// Returns a plan of the migration to another version of the model.
    ///
    /// - Parameters:
    ///   - model: The new model.
    ///   - registry: The registry of transformers.
    ///   - options: The options that the store would be opened with.
    ///   - steps: The steps of all versions.
    /// - Returns: The plan.
    /// - Throws: `StoreError` if the store cannot be read.
    package func plan(
        for model: Model,
        transformers registry: TransformerRegistry,
        options: Options,
        steps: MigrationSteps
    ) throws -> MigrationPlan {
        try readTables { connection in
            let old = try Metadata(reading: connection)
            let applicable = steps.applicable(from: old.model.version, to: model.version)
            let record = MigrationRecord(from: old, to: model, applicable)
            var planner = MigrationPlanner(record, registry, options, on: connection)
            return try planner.run()
        }
    }
}
