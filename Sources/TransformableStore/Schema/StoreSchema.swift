internal import Foundation
internal import Transformable

/// A store's entities with everything that reading and writing them needs.
final class StoreSchema: Sendable {
    let model: Model
    let uuid: UUID
    let entities: [StoredEntity]
    /// The folder of external blobs; nil where there are none, and for a store in memory.
    let blobs: BlobFolder?
    let hasRelationships: Bool
    /// Whether any relationship leads to a limited number of objects.
    let hasLimits: Bool
    /// The tables of pairs, by their quoted names.
    let pairTables: [String: PairTable]
    private let indexes: NameTable

    /// Resolves a model by what its file says about it.
    ///
    /// - Throws: ``StoreError`` if, and only if, a column is unreadable and the options refuse that, or the
    ///   file's description of itself is damaged.
    init(
        _ model: Model,
        _ metadata: Metadata,
        registry: TransformerRegistry,
        options: Store.Options,
        keepsOutdated: Bool = false
    ) throws {
        var resolver = SchemaResolver(model: model, registry: registry)
        resolver.metadata = metadata
        resolver.keepsOutdated = keepsOutdated
        resolver.judgesSecrecy = options.opening != .readOnly
        var entities: [StoredEntity] = []
        let plan = RelationshipPlan(model: model)
        for description in model.entities where !description.isAbstract {
            guard let id = metadata.entities[description.name] else {
                throw StoreError(.corruptFile, "the store does not know it", entity: description.name)
            }
            let numbers = metadata.attributes[id] ?? [:]
            let attributes = resolver.attributes(of: description) { numbers[$0]?.id ?? 0 }
            let entity = StoredEntity(
                description,
                id: id,
                index: entities.count,
                attributes: attributes,
                relationships: plan.relationships(of: description.name, attributes),
                compounds: resolver.compounds(of: description, attributes) { metadata.compounds[id]?[$0] ?? 0 },
                composites: model.lineage(of: description).flatMap(\.composites)
            )
            entities.append(entity)
        }
        if options.unresolved == .refuse { try resolver.throwFailures() }
        if options.pinsModel, let failure = resolver.failures.first(where: { $0.code == .signatureMismatch }) {
            throw failure
        }
        self.model = model
        uuid = metadata.uuid
        let isExternal = metadata.hasBlobs || entities.contains { $0.attributes.contains(where: \.isExternal) }
        blobs = isExternal && !metadata.file.isEmpty ? BlobFolder(of: metadata.file) : nil
        self.entities = entities
        hasRelationships = entities.contains { !$0.relationships.isEmpty }
        hasLimits = entities.contains(where: \.hasLimits)
        pairTables = Self.pairTables(entities)
        indexes = NameTable(entities.map(\.name))
    }

    private static func pairTables(_ entities: [StoredEntity]) -> [String: PairTable] {
        var tables: [String: PairTable] = [:]
        for owner in entities {
            for relationship in owner.relationships {
                for part in relationship.parts {
                    guard case .pairs(let name, let own, _) = part.storage else { continue }
                    var table = tables[name] ?? PairTable()
                    let isFirst = own == "\"first\""
                    table.first = isFirst ? owner.name : part.destination
                    table.second = isFirst ? part.destination : owner.name
                    table.names[own] = relationship.name
                    if relationship.isOwnInverse { table.names["\"second\""] = relationship.name }
                    let position = StoredRelationship.positionColumn(own)
                    if relationship.description.isOrdered { table.positions.append(position) }
                    tables[name] = table
                }
            }
        }
        return tables
    }

    /// Finds an entity by its name.
    func entity(_ name: String) throws(StoreError) -> StoredEntity {
        guard let index = indexes[name] else {
            guard model.entity(name) == nil else {
                throw StoreError(.unsupported, "“\(name)” is abstract; name one of its children", entity: name)
            }
            let names = entities.map(\.name).joined(separator: ", ")
            throw StoreError(.unknownEntity, "there is no entity “\(name)”; there are \(names)", entity: name)
        }
        return entities[index]
    }

    /// An entity and all that inherit from it, as far as there are objects of them.
    func family(_ name: String) throws(StoreError) -> [StoredEntity] {
        let family = entities.filter { entity in
            model.lineage(of: entity.description).contains { $0.name == name }
        }
        guard family.isEmpty else { return family }
        guard model.entity(name) != nil else { return [try entity(name)] }
        return []
    }
}

// MARK: - References

extension StoreSchema {
    /// The columns that refer to objects of an entity, each with the place of the entity it belongs to.
    func references(to entity: StoredEntity) -> [(owner: Int, attribute: StoredAttribute)] {
        entities.flatMap { owner in
            owner.relationships.compactMap { relationship in
                guard case .column(let index)? = relationship.part(entity.name)?.storage else { return nil }
                return (owner.index, owner.attributes[index])
            }
        }
    }

    /// Whether references stay when an object they lead to is deleted, as they deny it.
    func keepsReferences(to entity: StoredEntity, by attribute: StoredAttribute, of owner: StoredEntity) -> Bool {
        entity.relationships.contains { relationship in
            relationship.part(owner.name)?.storage == .inverseColumn(attribute.name)
                && relationship.description.deleteRule == .deny
        }
    }

    /// The columns of an entity that relationships with limits count, each with the entity they lead to.
    func countedReferences(of entity: StoredEntity) -> [(column: StoredAttribute, destination: String)] {
        entities.flatMap { owner in
            owner.relationships.compactMap { relationship in
                guard RelationshipLimits(relationship) != nil,
                    case .inverseColumn(let name)? = relationship.part(entity.name)?.storage,
                    let column = entity.attributeIfAny(name)
                else { return nil }
                return (column, owner.name)
            }
        }
    }

    /// The tables of pairs with objects of an entity: its column, and the other one with the entity that is there.
    func pairs(
        with entity: StoredEntity
    ) -> [(table: String, column: String, partner: String, entity: String)] {
        var found: [(table: String, column: String, partner: String, entity: String)] = []
        for owner in entities {
            for part in owner.relationships.flatMap(\.parts) {
                guard case .pairs(let table, let own, let other) = part.storage else { continue }
                if owner === entity { found.append((table, own, other, part.destination)) }
                if part.destination == entity.name { found.append((table, other, own, owner.name)) }
            }
        }
        // Both sides of a relationship name the same table.
        var seen: Set<String> = []
        return found.filter { seen.insert($0.table + $0.column).inserted }
    }
}
