public import Foundation
public import Transformable
public import TransformableStore

extension Store {
    /// Returns a plan of what ``init(at:model:transformers:options:hooks:migrations:)`` would do with the same
    /// arguments.
    ///
    /// Nothing is written. Others can read and write the store in the meantime, and the plan does not reflect their
    /// later changes. The plan does not include problems that are found only by decoding values, such as a cell that
    /// cannot be re-encoded. In that case, the migration fails and leaves the file unchanged.
    ///
    /// - Parameters:
    ///   - url: The file.
    ///   - model: The new model.
    ///   - registry: The registry of transformers.
    ///   - options: The options that the store would be opened with. Only two of them affect the plan: what happens
    ///     to columns that a different transformer wrote, and what happens to attributes whose transformer is not
    ///     available in this program.
    ///   - migrations: The steps that would run.
    /// - Returns: The plan.
    /// - Throws: `StoreError` if the file does not exist, is not a store, or cannot be read, or if steps overlap.
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
        return try store.plan(for: model, transformers: registry, options: options, steps: steps)
    }
}
