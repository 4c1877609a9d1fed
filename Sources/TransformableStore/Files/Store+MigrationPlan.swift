public import Foundation
internal import GRDB
public import Transformable

extension Store {
    /// Says what ``init(at:model:transformers:options:hooks:migrations:)`` would do to a file with these arguments.
    ///
    /// Nothing is written. Others may read and write the store meanwhile; what they change afterwards, the plan does
    /// not know. What a migration finds only by decoding values, such as a cell that cannot be re-encoded, is not in
    /// the plan; the migration then fails and leaves the file as it was.
    ///
    /// - Parameters:
    ///   - url: The file.
    ///   - model: The model that the file is to have.
    ///   - registry: The transformers.
    ///   - options: How the store would be opened. Two of them count here: what becomes of columns that another
    ///     transformer wrote, and of attributes whose transformer cannot be used in this program.
    ///   - migrations: The steps that would run.
    /// - Returns: The plan.
    /// - Throws: ``StoreError``: there is no such file, it is no store, or it cannot be read; the steps overlap.
    public static func plan(
        at url: URL,
        model: Model,
        transformers registry: TransformerRegistry,
        options: Options = Options(),
        migrations: [MigrationStep] = []
    ) throws -> MigrationPlan {
        let steps = try MigrationSteps(migrations)
        var reading = Options(opening: .readOnly, unresolved: .keepBytes, busyTimeout: options.busyTimeout)
        reading.isBrief = true
        reading.acceptingModel = options.acceptingModel
        let model = try model.statingStages(by: registry)
        let store = try Store(at: url, transformers: registry, options: reading)
        defer { try? store.close() }
        return try Failure.translate {
            try store.database.read { database in
                let old = try Metadata(reading: database)
                let applicable = steps.applicable(from: old.model.version, to: model.version)
                let record = MigrationRecord(from: old, to: model, applicable)
                var planner = MigrationPlanner(record, registry, options, on: database)
                return try planner.run()
            }
        }
    }
}
