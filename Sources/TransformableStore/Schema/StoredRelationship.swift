/// A relationship as an open store has it: where its references lie.
struct StoredRelationship: Sendable {
    /// Where the references to objects of one entity lie.
    enum Storage: Sendable, Equatable {
        /// In a column of the entity's own table, which is its attribute of this index.
        case column(Int)
        /// In a column of the other entity's table, which is its attribute of this name.
        case inverseColumn(String)
        /// In a table of pairs.
        case pairs(table: String, own: String, other: String)
    }

    /// An entity whose objects it may lead to.
    struct Part: Sendable {
        let destination: String
        let storage: Storage
    }

    /// Its place among the relationships of its entity.
    let index: Int
    private(set) var description: RelationshipDescription
    /// One for each entity of the destination's family that has objects.
    private(set) var parts: [Part]
    /// The relationship that leads back.
    let inverse: RelationshipDescription?
    /// Whether it leads back itself.
    let isOwnInverse: Bool
    /// The attribute with an object's position among those that the inverse leads to, by its place.
    let position: Int?

    var name: String { description.name }
    var destination: String { description.destination }

    /// Where the references lie, of a relationship that leads to objects of one entity.
    var storage: Storage { parts.first?.storage ?? .inverseColumn(name) }

    /// Whether the entity's own table has its references.
    var hasColumn: Bool {
        if case .column = storage { return true }
        return false
    }

    /// The columns of its entity's own table that have its references, as places of attributes.
    var columns: [Int] {
        parts.compactMap { part in
            guard case .column(let index) = part.storage else { return nil }
            return index
        }
    }

    /// Whether it may lead to objects of several entities.
    var leadsToFamily: Bool { parts.count > 1 || parts.first?.destination != destination }

    func part(_ entity: String) -> Part? {
        parts.first { $0.destination == entity }
    }

    /// The same as far as it leads to objects of one entity of a family.
    func narrowed(to entity: String) -> Self? {
        guard leadsToFamily, let part = part(entity) else { return nil }
        var narrowed = self
        narrowed.parts = [part]
        narrowed.description.destination = entity
        return narrowed
    }

    /// The column of a table of pairs with the position among the objects that one side leads to.
    static func positionColumn(_ own: String) -> String {
        own == "\"first\"" ? "\"first_order\"" : "\"second_order\""
    }
}
