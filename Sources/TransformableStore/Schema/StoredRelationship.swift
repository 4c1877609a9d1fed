/// A relationship of an open store, which knows where its references are stored.
///
/// It is a class because each change of a reference uses several relationships, and copying their properties would
/// cost more than the change.
final class StoredRelationship: Sendable {
    /// The place where the references to objects of one entity are stored.
    enum Storage: Sendable, Equatable {
        /// A column of the entity's own table: the attribute at this index.
        case column(Int)
        /// A column of the other entity's table: the attribute with this name.
        case inverseColumn(String)
        /// A table of pairs, with the entity's own objects on a side.
        case pairs(table: TableName, own: PairSide)
    }

    /// An entity whose objects the relationship can lead to.
    struct Part: Sendable {
        let destination: String
        let storage: Storage
    }

    /// The relationship's position in its entity.
    let index: Int
    let description: RelationshipDescription
    /// The parts of the relationship, one for each entity of the destination's family that has objects.
    let parts: [Part]
    /// The inverse relationship.
    let inverse: RelationshipDescription?
    /// Whether the relationship is its own inverse.
    let isOwnInverse: Bool
    /// The position of the attribute that contains an object's position in the inverse relationship.
    let position: Int?

    init(
        index: Int,
        description: RelationshipDescription,
        parts: [Part],
        inverse: RelationshipDescription?,
        isOwnInverse: Bool,
        position: Int?
    ) {
        self.index = index
        self.description = description
        self.parts = parts
        self.inverse = inverse
        self.isOwnInverse = isOwnInverse
        self.position = position
    }

    var name: String { description.name }
    var destination: String { description.destination }

    /// The place where the references are stored, for a relationship to objects of one entity.
    var storage: Storage { parts.first?.storage ?? .inverseColumn(name) }

    /// Whether the references are stored in the entity's own table.
    var hasColumn: Bool {
        if case .column = storage { return true }
        return false
    }

    /// Whether references to objects of any entity are pairs in a table of their own.
    var hasPairs: Bool {
        parts.contains { part in
            if case .pairs = part.storage { true } else { false }
        }
    }

    /// The positions of the attributes that contain its references in the entity's own table.
    var columns: [Int] {
        parts.compactMap { part in
            guard case .column(let index) = part.storage else { return nil }
            return index
        }
    }

    /// Whether it can lead to objects of several entities.
    var leadsToFamily: Bool { parts.count > 1 || parts.first?.destination != destination }

    func part(_ entity: String) -> Part? {
        parts.first { $0.destination == entity }
    }

    /// Returns the relationship, limited to objects of one entity of a family.
    func narrowed(to entity: String) -> StoredRelationship? {
        guard leadsToFamily, let part = part(entity) else { return nil }
        var description = description
        description.destination = entity
        return StoredRelationship(
            index: index,
            description: description,
            parts: [part],
            inverse: inverse,
            isOwnInverse: isOwnInverse,
            position: position
        )
    }
}

/// A side of a table of pairs, which stores a many-to-many relationship.
enum PairSide: Hashable, Sendable, CaseIterable {
    case first
    case second

    var opposite: PairSide { self == .first ? .second : .first }

    /// The column with the numbers of the objects on this side.
    var column: ColumnName { ColumnName(self == .first ? "first" : "second") }

    /// The column with the positions among the objects that are related to an object on this side.
    var positionColumn: ColumnName { ColumnName(self == .first ? "first_order" : "second_order") }
}
