/// The living objects of a context, one for each row.
struct IdentityMap {
    // By the positions of the entities.
    private let tables: [ObjectTable]

    init(_ schema: StoreSchema) {
        tables = schema.entities.map { _ in ObjectTable() }
    }

    subscript(entity: StoredEntity, number: Int64) -> ManagedObject? { tables[entity.index][number] }

    func insert(_ object: ManagedObject) {
        tables[object.entity.index].insert(object)
    }

    func remove(_ entity: StoredEntity, _ number: Int64) {
        tables[entity.index].remove(number)
    }

    /// Returns the objects of an entity that are referenced.
    func living(_ entity: StoredEntity) -> [ManagedObject] { tables[entity.index].living }

    /// All objects that are referenced.
    var living: [ManagedObject] { tables.flatMap(\.living) }
}
