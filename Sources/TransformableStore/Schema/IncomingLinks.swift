/// What leads to the objects of each entity of a store.
///
/// Every deletion and every save asks for it, so all relationships are looked through only once. The lists are at the
/// positions of the entities.
struct IncomingLinks: Sendable {
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
