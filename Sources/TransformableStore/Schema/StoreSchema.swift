internal import Foundation
internal import Transformable

/// A store's entities with everything that reading and writing them needs.
final class StoreSchema: Sendable {
    let model: Model
    let uuid: UUID
    let entities: [StoredEntity]
    private let indexes: [String: Int]

    /// Resolves a model by what its file says about it.
    ///
    /// - Throws: ``StoreError`` if, and only if, a column is unreadable and the options refuse that, or the
    ///   file's description of itself is damaged.
    init(_ model: Model, _ metadata: Metadata, registry: TransformerRegistry, options: Store.Options) throws {
        var resolver = SchemaResolver(model: model, registry: registry)
        resolver.metadata = metadata
        resolver.isReadOnly = options.opening == .readOnly
        var entities: [StoredEntity] = []
        for description in model.entities where !description.isAbstract {
            guard let id = metadata.entities[description.name] else {
                throw StoreError(.corruptFile, "the store does not know it", entity: description.name)
            }
            let numbers = metadata.attributes[id] ?? [:]
            let attributes = resolver.attributes(of: description) { numbers[$0]?.id ?? 0 }
            entities.append(StoredEntity(description, id: id, index: entities.count, attributes: attributes))
        }
        if options.unresolved == .refuse { try resolver.throwFailures() }
        self.model = model
        uuid = metadata.uuid
        self.entities = entities
        indexes = Dictionary(entities.map { ($0.name, $0.index) }) { first, _ in first }
    }

    /// Finds an entity by its name.
    func entity(_ name: String) throws(StoreError) -> StoredEntity {
        guard let index = indexes[name] else {
            let names = entities.map(\.name).joined(separator: ", ")
            throw StoreError(.unknownEntity, "there is no entity “\(name)”; there are \(names)", entity: name)
        }
        return entities[index]
    }
}
