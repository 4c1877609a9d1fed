package import Transformable

/// Re-encodes the columns of a store for the transformers in a program's model, before the store is opened with it.
package struct ReencodingAtOpening {
    let model: Model
    let registry: TransformerRegistry
    let options: Store.Options
    let steps: MigrationSteps

    package init(model: Model, registry: TransformerRegistry, options: Store.Options, steps: MigrationSteps) {
        self.model = model
        self.registry = registry
        self.options = options
        self.steps = steps
    }

    /// Re-encodes one attribute after another until every column was written by its transformer in the model.
    ///
    /// Each re-encoding changes the model in the file, so each uses a newly opened store.
    ///
    /// With public keys, the file's own model cannot be verified, so nothing is re-encoded. Opening the store then
    /// reports the differences.
    ///
    /// - Parameter opening: A closure that opens the store with a model, or with its own.
    /// - Throws: `StoreError` if a value cannot be re-encoded, or if the migration that follows would fail.
    package func run(_ opening: (Model?, Store.Options) throws -> Store) throws {
        if let sealer = registry.sealer, !sealer.canSeal { return }
        var done: Set<Reencoding> = []
        while true {
            let store = try open(opening)
            defer { try? store.close() }
            guard let next = try next(in: store.schema) else { return }
            if done.isEmpty { try requireMigration(of: store) }
            guard done.insert(next).inserted else {
                let message = "the metadata did not change when it was written; the file may be damaged"
                throw StoreError(.corruptFile, message, entity: next.entity, attribute: next.attribute)
            }
            try store.reencode(next)
        }
    }

    /// Throws the errors of the migration that follows, before anything is changed.
    private func requireMigration(of store: Store) throws {
        try store.readTables { connection in
            let old = try Metadata(reading: connection)
            guard old.model.version < model.version else { return }
            let wanted = steps.applicable(from: old.model.version, to: model.version)
            let record = MigrationRecord(from: old, to: model, wanted)
            try record.requireMigration(on: connection)
            var planner = MigrationPlanner(record, registry, options, on: connection)
            _ = try planner.run()
            try planner.requireNoFault()
        }
    }

    /// Opens the store with its own model.
    private func open(_ opening: (Model?, Store.Options) throws -> Store) throws -> Store {
        var options = options
        options.opening = .mustExist
        options.unresolved = .keepBytes
        options.changedTransformers = .refuse
        options.acceptsRevealing = true
        let stored = try opening(nil, options)
        let typed = try typed(stored.model)
        try stored.close()
        return try opening(typed, options)
    }

    /// Returns the file's model with the value types that the program's model declares.
    private func typed(_ stored: Model) throws(StoreError) -> Model {
        let succession = Succession(from: stored, to: model)
        var entities = stored.entities
        for entity in entities.indices {
            for index in entities[entity].attributes.indices {
                let old = entities[entity].attributes[index]
                guard old.type == .transformed, old.valueType == nil,
                    let new = succession.heirs(of: old.name, of: entities[entity].name).first?.attribute,
                    new.type == .transformed
                else { continue }
                entities[entity].attributes[index].valueType = new.valueType
            }
        }
        return try stored.with(entities: entities)
    }

    private func next(in schema: StoreSchema) throws -> Reencoding? {
        let targets = ReencodingTargets(succession: Succession(from: schema.model, to: model), registry: registry)
        for entity in schema.model.entities {
            for old in entity.attributes where !old.isTransient {
                guard let stored = try schema.family(entity.name).first?.attribute(old.name), stored.failure == nil
                else { continue }
                let wanted = try targets.succession.heirs(of: old.name, of: entity.name)
                    .compactMap { heir in
                        let signature = stored.transformer?.signature
                        return try targets.target(from: old, writtenBy: signature, to: heir.attribute)
                    }
                // If they differ, the plan of the migration refuses that.
                guard let target = wanted.first else { continue }
                var reencoding = Reencoding(old.name, of: entity.name, to: target)
                reencoding.precedesMigration = true
                return reencoding
            }
        }
        return nil
    }
}
