internal import Foundation
internal import GRDB
internal import Transformable

/// Re-encodes the columns of a file for the transformers in a program's model, before the store is opened with it.
struct ReencodingAtOpening {
    let url: URL
    let model: Model
    let registry: TransformerRegistry
    let options: Store.Options
    let steps: MigrationSteps

    /// Re-encodes one attribute after another until every column was written by its transformer in the model.
    ///
    /// Each re-encoding changes the model in the file, so each uses a newly opened store.
    ///
    /// With public keys, the file's own model cannot be verified, so nothing is re-encoded. Opening the store then
    /// reports the differences.
    func run() throws {
        if let sealer = registry.sealer, !sealer.canSeal { return }
        var done: Set<Reencoding> = []
        while let store = try open() {
            defer { try? store.close() }
            if done.isEmpty { try requireMigration(of: store) }
            guard let next = try next(in: store.schema) else { return }
            guard done.insert(next).inserted else {
                let message = "the metadata did not change when it was written; the file may be damaged"
                throw StoreError(.corruptFile, message, entity: next.entity, attribute: next.attribute)
            }
            try store.reencode(next)
        }
    }

    /// Throws the errors of the migration that follows, before anything is changed.
    private func requireMigration(of store: Store) throws {
        try Failure.translate {
            try store.database.read { database in
                let old = try Metadata(reading: database)
                guard old.model.version < model.version else { return }
                let wanted = steps.applicable(from: old.model.version, to: model.version)
                try MigrationRecord(from: old, to: model, wanted).requireMigration(on: database)
            }
        }
    }

    /// Opens the file with its own model, or returns `nil` if there is no model.
    ///
    /// Reporting that is up to the caller.
    private func open() throws -> Store? {
        let path = url.standardizedFileURL.path
        let size = (try? FileManager.default.attributesOfItem(atPath: path)[.size]) as? Int ?? 0
        guard size > 0 else { return nil }
        var options = options
        options.opening = .mustExist
        options.unresolved = .keepBytes
        options.changedTransformers = .refuse
        options.acceptsRevealing = true
        let stored = try Store(at: url, transformers: registry, options: options)
        let typed = try typed(stored.model)
        try stored.close()
        return try Store(at: url, model: typed, transformers: registry, options: options)
    }

    /// Returns the file's model with the value types that the program's model declares.
    private func typed(_ stored: Model) throws(StoreError) -> Model {
        let succession = Succession(from: stored, to: model)
        var entities = stored.entities
        for entity in entities.indices {
            for index in entities[entity].attributes.indices {
                let old = entities[entity].attributes[index]
                guard old.type == .transformed, old.valueType == nil,
                    let new = successor(of: old, in: entities[entity].name, by: succession), new.type == .transformed
                else { continue }
                entities[entity].attributes[index].valueType = new.valueType
            }
        }
        return try Model(version: stored.version, entities: entities)
    }

    /// Returns the attribute of the program's model that corresponds to an attribute of the file.
    private func successor(
        of attribute: AttributeDescription,
        in name: String,
        by succession: Succession
    ) -> AttributeDescription? {
        guard let entity = succession.newName(ofEntity: name) else { return nil }
        // The attribute may have been moved to a parent.
        return model.attributes(of: entity).first { succession.oldName(of: $0.name, in: entity) == attribute.name }
    }

    private func next(in schema: StoreSchema) throws -> Reencoding? {
        let succession = Succession(from: schema.model, to: model)
        for entity in schema.model.entities {
            for old in entity.attributes where !old.isTransient {
                guard let new = successor(of: old, in: entity.name, by: succession), !new.isTransient else { continue }
                guard let stored = try schema.family(entity.name).first?.attribute(old.name) else { continue }
                guard stored.failure == nil, let target = try target(from: stored, to: new) else { continue }
                var reencoding = Reencoding(old.name, of: entity.name, to: target)
                reencoding.precedesMigration = true
                return reencoding
            }
        }
        return nil
    }

    /// Returns the target of a column's re-encoding, or `nil` if the program can read the column as it is or after a
    /// plain conversion.
    private func target(from old: StoredAttribute, to new: AttributeDescription) throws -> Reencoding.Target? {
        guard new.type == .transformed else { return old.description.type == .transformed ? .plain : nil }
        let expression = new.storedExpression
        guard let signature = old.transformer?.signature else { return .transformer(expression) }
        let resolved = try registry.resolve(expression, for: new.valueType?.type)
        return resolved.signature.canRead(signature) ? nil : .transformer(expression)
    }
}
