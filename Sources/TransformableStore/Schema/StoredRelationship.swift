/// A relationship as an open store has it: where its references lie.
struct StoredRelationship: Sendable {
    /// Where the references lie.
    enum Storage: Sendable, Equatable {
        /// In a column of the entity's own table, which is its attribute of this index.
        case column(Int)
        /// In a column of the other entity's table, which is its attribute of this name.
        case inverseColumn(String)
        /// In a table of pairs.
        case pairs(table: String, own: String, other: String)
    }

    let description: RelationshipDescription
    let storage: Storage

    var name: String { description.name }
    var destination: String { description.destination }
}

/// Decides where a model's references lie.
struct RelationshipPlan {
    let model: Model

    /// The relationship that leads back, whichever side states it.
    func inverse(of relationship: RelationshipDescription, in entity: String) -> RelationshipDescription? {
        let candidates = model.relationships(of: relationship.destination)
        if let name = relationship.inverse { return candidates.first { $0.name == name } }
        return candidates.first { $0.inverse == relationship.name && $0.destination == entity }
    }

    /// Whether the entity's own table has a column for it.
    func hasColumn(_ relationship: RelationshipDescription, in entity: String) -> Bool {
        guard !relationship.isToMany else { return false }
        guard let inverse = inverse(of: relationship, in: entity), !inverse.isToMany else { return true }
        // One to one: a single column serves both sides.
        return key(entity, relationship) <= key(relationship.destination, inverse)
    }

    private func key(_ entity: String, _ relationship: RelationshipDescription) -> String {
        "\(entity).\(relationship.name)"
    }

    /// The relationships of an entity that have a column in its table.
    func columns(of entity: String) -> [RelationshipDescription] {
        model.relationships(of: entity).filter { hasColumn($0, in: entity) }
    }

    func storage(of relationship: RelationshipDescription, in entity: String, column: Int?)
        -> StoredRelationship.Storage
    {
        if let column { return .column(column) }
        let inverse = inverse(of: relationship, in: entity)
        if let inverse, !inverse.isToMany { return .inverseColumn(inverse.name) }
        let own = key(entity, relationship)
        let other = inverse.map { key(relationship.destination, $0) }
        guard let other, other < own else {
            return .pairs(table: SQL.quoted("_pairs.\(own)"), own: "\"first\"", other: "\"second\"")
        }
        return .pairs(table: SQL.quoted("_pairs.\(other)"), own: "\"second\"", other: "\"first\"")
    }

    /// An entity's relationships, whose columns are among its attributes.
    func relationships(of entity: String, _ attributes: [StoredAttribute]) -> [StoredRelationship] {
        model.relationships(of: entity)
            .map { relationship in
                let column = hasColumn(relationship, in: entity)
                let index = column ? attributes.firstIndex { $0.name == relationship.name } : nil
                return StoredRelationship(
                    description: relationship,
                    storage: storage(of: relationship, in: entity, column: index)
                )
            }
    }

    /// The statements that make the tables of pairs whose first side is an entity's.
    func tables(of entity: EntityDescription) -> [String] {
        pairTables(of: entity).flatMap(\.statements)
    }

    /// The tables of pairs whose first side is an entity's, each with the statements that make it.
    func pairTables(of entity: EntityDescription) -> [(name: String, statements: [String])] {
        var tables: [(name: String, statements: [String])] = []
        for relationship in model.relationships(of: entity.name) {
            let column = hasColumn(relationship, in: entity.name) ? 0 : nil
            let storage = storage(of: relationship, in: entity.name, column: column)
            guard case .pairs(let table, "\"first\"", _) = storage else { continue }
            let index = SQL.quoted("_index._pairs.\(entity.name).\(relationship.name)")
            let create = """
                CREATE TABLE \(table) (
                    "first" INTEGER NOT NULL REFERENCES \(SQL.quoted(entity.name)) DEFERRABLE INITIALLY DEFERRED,
                    "second" INTEGER NOT NULL REFERENCES \(SQL.quoted(relationship.destination))
                        DEFERRABLE INITIALLY DEFERRED,
                    PRIMARY KEY ("first", "second")) WITHOUT ROWID
                """
            tables.append((table, [create, "CREATE INDEX \(index) ON \(table) (\"second\")"]))
        }
        return tables
    }
}

extension AttributeDescription {
    /// The column of a relationship: the number of the object it leads to.
    init(column relationship: RelationshipDescription) {
        self.init(relationship.name, .int64)
        isOptional = relationship.isOptional
        isIndexed = true
    }
}
