internal import Foundation
internal import GRDB
internal import Transformable

/// Brings the columns of a file to the transformers of a program's model before the store is opened with it.
struct ReencodingAtOpening {
    let url: URL
    let model: Model
    let registry: TransformerRegistry
    let options: Store.Options
    let steps: MigrationSteps

    /// Re-encodes one attribute after another until none is left that another transformer wrote.
    ///
    /// Each changes the model in the file, so that each is done with a store opened anew.
    ///
    /// Public keys cannot check whether the file's own model is genuine, so nothing is re-encoded by it: opening then says
    /// what differs.
    func run() throws {
        if let sealer = registry.sealer, !sealer.canSeal { return }
        var done: Set<Reencoding> = []
        while let store = try open() {
            defer { try? store.close() }
            if done.isEmpty { try requireMigration(of: store) }
            guard let next = try next(in: store.schema) else { return }
            guard done.insert(next).inserted else {
                let message = "the file does not keep what is written about its attributes; it may be damaged"
                throw StoreError(.corruptFile, message, entity: next.entity, attribute: next.attribute)
            }
            try store.reencode(next)
        }
    }

    /// Throws what the migration that follows would refuse, before anything is changed.
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

    /// The file with its own model; nil if there is none, which is not for us to say.
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

    /// The file's model with the types of values that the program's one declares.
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

    /// An attribute of the file as the program's model has it.
    private func successor(
        of attribute: AttributeDescription,
        in name: String,
        by succession: Succession
    ) -> AttributeDescription? {
        guard let entity = succession.newName(ofEntity: name) else { return nil }
        // It may belong to a parent now.
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

    /// What the column has to be brought to; nil if the program reads it as it is, or by a plain conversion.
    private func target(from old: StoredAttribute, to new: AttributeDescription) throws -> Reencoding.Target? {
        guard new.type == .transformed else { return old.description.type == .transformed ? .plain : nil }
        let expression = new.storedExpression
        guard let signature = old.transformer?.signature else { return .transformer(expression) }
        let resolved = try registry.resolve(expression, for: new.valueType?.type)
        return resolved.signature.canRead(signature) ? nil : .transformer(expression)
    }
}
