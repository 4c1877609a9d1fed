internal import Foundation
internal import Transformable

/// A store's entities, along with everything that is needed to read and write them.
final class StoreSchema: Sendable {
    let model: Model
    let uuid: UUID
    let entities: [StoredEntity]
    /// The folder of external blobs, or `nil` if there are none, or for a store in memory.
    let blobs: BlobStorage?
    let hasRelationships: Bool
    /// Whether the number of objects in any relationship is limited.
    let hasLimits: Bool
    /// The tables of pairs, by their names.
    let pairTables: [TableName: PairTable]
    /// The tables whose rows belong to tenants.
    let tenantTables: [TenantTable]
    private let indexes: NameTable
    private let incoming: IncomingLinks

    /// Resolves a model according to its file's metadata.
    ///
    /// - Throws: `StoreError` if a column is unreadable and the options do not allow that, or if the file's metadata
    ///   is damaged.
    init(
        _ model: Model,
        _ metadata: Metadata,
        registry: TransformerRegistry,
        options: Store.Options,
        dialect: Dialect,
        keepsOutdated: Bool = false
    ) throws {
        var resolver = SchemaResolver(model: model, registry: registry)
        resolver.metadata = metadata
        resolver.keepsOutdated = keepsOutdated
        resolver.judgesSecrecy = options.opening != .readOnly
        resolver.hasTypedColumns = !dialect.has(.dynamicTypes)
        let entities = try Self.entities(of: model, metadata, &resolver, options, dialect)
        if options.unresolved == .refuse { try resolver.throwFailures() }
        if options.pinsModel, let failure = resolver.failures.first(where: { $0.code == .signatureMismatch }) {
            throw failure
        }
        self.model = model
        uuid = metadata.uuid
        let isExternal = metadata.hasBlobs || entities.contains { $0.attributes.contains(where: \.isExternal) }
        blobs = isExternal ? BlobStorage(dialect, file: metadata.file) : nil
        self.entities = entities
        hasRelationships = entities.contains { !$0.relationships.isEmpty }
        hasLimits = entities.contains(where: \.hasLimits)
        pairTables = Self.pairTables(entities)
        tenantTables = Self.tenantTables(entities, pairTables)
        indexes = NameTable(entities.map(\.name))
        incoming = IncomingLinks(to: entities)
    }

    /// Returns the entities that have tables, in the model's order.
    private static func entities(
        of model: Model,
        _ metadata: Metadata,
        _ resolver: inout SchemaResolver,
        _ options: Store.Options,
        _ dialect: Dialect
    ) throws -> [StoredEntity] {
        var entities: [StoredEntity] = []
        let plan = RelationshipPlan(model: model)
        try plan.requireRoomForColumns()
        for description in model.entities where !description.isAbstract {
            guard let id = metadata.entities[description.name] else {
                throw StoreError(.corruptFile, "the store's metadata has no record of it", entity: description.name)
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
                composites: model.lineage(of: description).flatMap(\.composites),
                uniqueGroups: plan.uniqueness(of: description.name),
                indexLists: model.indexes(of: description.name),
                transientRelationships: model.transientRelationships(of: description.name),
                readsLengths: dialect.has(.lengthsOfCells),
                rowSeal: options.rowSealing != nil && model.authenticatesRows(of: description.name)
                    ? RowSeal(description.name, id, metadata, dialect) : nil,
                belongsToTenant: model.belongsToTenants(description.name)
            )
            entities.append(entity)
        }
        return entities
    }

    private static func tenantTables(_ entities: [StoredEntity], _ pairs: [TableName: PairTable]) -> [TenantTable] {
        let objects = entities.filter(\.belongsToTenant)
            .map { entity in
                let tag = entity.rowSeal == nil ? [] : [TenantColumn.name.name, RowSeal.column.name]
                return TenantTable(name: entity.table, columns: ["_id", "_version"] + entity.insertedColumns + tag)
            }
        let links = pairs.filter(\.value.belongsToTenant)
            .map { table, pairs in
                let columns = PairSide.allCases.map(\.column) + pairs.positions.map(\.positionColumn)
                return TenantTable(name: table, columns: columns.map(\.name))
            }
        return objects + links
    }

    private static func pairTables(_ entities: [StoredEntity]) -> [TableName: PairTable] {
        var tables: [TableName: PairTable] = [:]
        for owner in entities {
            for relationship in owner.relationships {
                for part in relationship.parts {
                    guard case .pairs(let name, let own) = part.storage else { continue }
                    var table = tables[name] ?? PairTable()
                    table.entities[own] = owner.name
                    table.entities[own.opposite] = part.destination
                    table.names[own] = relationship.name
                    if relationship.isOwnInverse { table.names[.second] = relationship.name }
                    if relationship.description.isOrdered { table.positions.insert(own) }
                    table.belongsToTenant = owner.belongsToTenant
                    tables[name] = table
                }
            }
        }
        return tables
    }

    /// Returns the pairs of a table that a context can see, without its pending changes.
    func visiblePairs(_ table: TableName) -> String {
        TenantColumn.visible(table, pairTables[table]?.belongsToTenant == true)
    }

    /// Returns the entity with the given name.
    func entity(_ name: String) throws(StoreError) -> StoredEntity {
        guard let index = indexes[name] else {
            guard model.entity(name) == nil else {
                throw StoreError(.unsupported, "“\(name)” is abstract; name one of its children", entity: name)
            }
            let names = entities.map(\.name).joined(separator: ", ")
            throw StoreError(.unknownEntity, "there is no entity “\(name)”; the entities are \(names)", entity: name)
        }
        return entities[index]
    }

    /// Returns the class that represents the objects of an entity, which may be abstract, or `nil` if there is none.
    func classType(of name: String) throws(StoreError) -> (any AnyObject.Type)? {
        if let index = indexes[name] { return entities[index].description.entityClass?.type }
        guard let description = model.entity(name) else { return try entity(name).description.entityClass?.type }
        return description.entityClass?.type
    }

    /// Returns an entity and all entities that inherit from it, as far as they can have objects.
    func family(_ name: String) throws(StoreError) -> [StoredEntity] {
        let family = model.members(of: name).compactMap { indexes[$0] }.map { entities[$0] }
        guard family.isEmpty else { return family }
        guard model.entity(name) != nil else { return [try entity(name)] }
        return []
    }
}

// MARK: - References

extension StoreSchema {
    /// Returns the columns that refer to objects of an entity, each with the position of the entity that it belongs to.
    func references(to entity: StoredEntity) -> [(owner: Int, attribute: StoredAttribute)] {
        incoming.references[entity.index]
    }

    /// Returns a Boolean value that indicates whether references are kept when their object is deleted, because they
    /// deny the deletion.
    func keepsReferences(to entity: StoredEntity, by attribute: StoredAttribute, of owner: StoredEntity) -> Bool {
        entity.relationships.contains { relationship in
            relationship.description.deleteRule == .deny
                && relationship.part(owner.name)?.storage == .inverseColumn(attribute.name)
        }
    }

    /// Returns the columns of an entity that are counted for relationships with limits, each with its destination
    /// entity.
    func countedReferences(of entity: StoredEntity) -> [(column: StoredAttribute, destination: String)] {
        incoming.countedReferences[entity.index]
    }

    /// Returns the tables of pairs with objects of an entity, with the side that the objects are on.
    func pairs(with entity: StoredEntity) -> [(table: TableName, own: PairSide)] {
        incoming.pairs[entity.index]
    }
}

/// A table of pairs, with its meaning on both sides.
struct PairTable: Sendable {
    /// The entities of the objects on each side.
    var entities: [PairSide: String] = [:]
    /// The relationships that read the table from either side.
    var names: [PairSide: String] = [:]
    /// The sides with positions.
    var positions: Set<PairSide> = []
    /// Whether the pairs belong to tenants.
    var belongsToTenant = false
}

/// Finds the position of a name.
///
/// With few names, comparing one after the other is faster than hashing, because strings of up to 15 bytes are two
/// words.
struct NameTable: Sendable {
    private static let few = 12
    private let names: [String]
    private let places: [String: Int]

    /// Creates a table of names.
    ///
    /// If a name occurs twice, the first one counts.
    init(_ names: [String]) {
        self.names = names
        places = Dictionary(names.enumerated().map { ($1, $0) }) { first, _ in first }
    }

    /// The position of a name, or `nil` if it is not in the table.
    subscript(name: String) -> Int? {
        names.count <= Self.few ? names.firstIndex(of: name) : places[name]
    }
}

/// What leads to the objects of each entity of a store.
///
/// Every deletion and every save asks for it, so all relationships are looked through only once. The lists are at the
/// positions of the entities.
private struct IncomingLinks: Sendable {
    /// The columns that refer to objects of an entity, each with the position of the entity that it belongs to.
    private(set) var references: [[(owner: Int, attribute: StoredAttribute)]]
    /// The tables of pairs with objects of an entity, with the side that the objects are on.
    private(set) var pairs: [[(table: TableName, own: PairSide)]]
    /// The columns of an entity that are counted for relationships with limits, each with its destination entity.
    private(set) var countedReferences: [[(column: StoredAttribute, destination: String)]]

    init(to entities: [StoredEntity]) {
        references = entities.map { _ in [] }
        pairs = entities.map { _ in [] }
        countedReferences = entities.map { _ in [] }
        let destinations = Dictionary(entities.map { ($0.name, $0) }) { first, _ in first }
        for owner in entities {
            for relationship in owner.relationships {
                let isCounted = RelationshipLimits(relationship) != nil
                for part in relationship.parts {
                    guard let destination = destinations[part.destination] else { continue }
                    note(part.storage, from: owner, to: destination, isCounted: isCounted)
                }
            }
        }
        // Both sides of a relationship use the same table.
        pairs = pairs.map { list in
            var seen: [TableName: Set<PairSide>] = [:]
            return list.filter { seen[$0.table, default: []].insert($0.own).inserted }
        }
    }

    private mutating func note(
        _ storage: StoredRelationship.Storage,
        from owner: StoredEntity,
        to destination: StoredEntity,
        isCounted: Bool
    ) {
        switch storage {
        case .column(let index):
            references[destination.index].append((owner.index, owner.attributes[index]))
        case .inverseColumn(let name):
            guard isCounted, let column = destination.attributeIfAny(name) else { return }
            countedReferences[destination.index].append((column, owner.name))
        case .pairs(let table, let own):
            pairs[owner.index].append((table, own))
            pairs[destination.index].append((table, own.opposite))
        }
    }
}
