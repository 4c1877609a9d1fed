/// Determines where the references of a model are stored.
///
/// An object is identified by its entity and its number. A reference to objects of a single entity is one column with a
/// foreign key. A reference to a family has a column for each entity of the family, such as `owner.Dog` and
/// `owner.Cat`, at most one of which contains a number. In this way, SQLite itself can enforce those references, too.
package struct RelationshipPlan {
    /// The number of columns that a table of SQLite can have.
    private static let columnLimit = 2000
    /// The number of indexes that a new store can have.
    ///
    /// SQLite reads its whole catalog when it creates one, so that twice as many take four times as long.
    private static let indexLimit = 20_000

    let model: Model

    /// A column of references.
    struct Column {
        let description: AttributeDescription
        /// The destination entity, or `nil` for a column of positions.
        let destination: String?
    }

    package init(model: Model) {
        self.model = model
    }

    /// Returns the entities with objects that a relationship to an entity can lead to.
    func members(_ name: String) -> [String] {
        model.members(of: name)
    }

    private func isFamily(_ name: String) -> Bool {
        model.entity(name)?.isAbstract == true || model.hasChildren(name)
    }

    /// Returns a Boolean value that indicates whether an entity is the same as another one or inherits from it.
    func isKind(_ entity: String, of other: String) -> Bool {
        model.entity(entity).map { model.lineage(of: $0).contains { $0.name == other } } ?? false
    }

    /// Returns the entity that declares a relationship, which another entity may inherit.
    private func declarer(of relationship: String, in entity: String) -> String {
        let lineage = model.entity(entity).map(model.lineage) ?? []
        return lineage.first { $0.relationships.contains { $0.name == relationship } }?.name ?? entity
    }

    /// Returns the inverse relationship for objects of an entity, whichever side states it.
    ///
    /// If a child's objects are on one side and those of its parent on the other, the parent's other children have no
    /// inverse, because it cannot lead back to them.
    func inverse(of relationship: RelationshipDescription, in entity: String) -> RelationshipDescription? {
        statedInverse(of: relationship, in: entity).flatMap { isKind(entity, of: $0.destination) ? $0 : nil }
    }

    /// Returns the inverse relationship that either side states, even if it leads only to children of an entity.
    func statedInverse(of relationship: RelationshipDescription, in entity: String) -> RelationshipDescription? {
        let candidates = model.relationships(of: relationship.destination)
        if let name = relationship.inverse { return candidates.first { $0.name == name } }
        return candidates.first { $0.inverse == relationship.name && isKind(entity, of: $0.destination) }
    }

    func isOwnInverse(_ relationship: RelationshipDescription, in entity: String) -> Bool {
        relationship.inverse == relationship.name
            && relationship.destination == declarer(of: relationship.name, in: entity)
    }

    /// Returns a Boolean value that indicates whether the entity's own table has a column for a relationship.
    func hasColumn(_ relationship: RelationshipDescription, in entity: String) -> Bool {
        guard !relationship.isToMany else { return false }
        guard let inverse = inverse(of: relationship, in: entity), !inverse.isToMany else { return true }
        // In a one-to-one relationship, a single column serves both sides.
        return key(entity, relationship) <= key(relationship.destination, inverse)
    }

    /// Returns a Boolean value that indicates whether a name belongs to a relationship without a column of that name.
    func lacksColumn(_ name: String, in entity: String) -> Bool {
        guard let relationship = model.relationships(of: entity).first(where: { $0.name == name }) else { return false }
        return !hasColumn(relationship, in: entity) || isFamily(relationship.destination)
    }

    /// Returns an entity's unique groups, inherited ones first.
    ///
    /// An inherited group can contain a one-to-one relationship whose references are in the other entity's table. No two
    /// objects refer to the same one, so such a group is always unique.
    func uniqueness(of entity: String) -> [[String]] {
        let groups = model.uniqueness(of: entity)
        guard !groups.isEmpty else { return [] }
        let elsewhere = Set(model.relationships(of: entity).filter { !hasColumn($0, in: entity) }.map(\.name))
        return groups.filter { elsewhere.isDisjoint(with: $0) }
    }

    private func key(_ entity: String, _ relationship: RelationshipDescription) -> String {
        "\(declarer(of: relationship.name, in: entity)).\(relationship.name)"
    }
}

// MARK: - Columns

extension RelationshipPlan {
    /// Returns the column of a to-one relationship for objects of an entity.
    func column(_ relationship: RelationshipDescription, to member: String) -> String {
        isFamily(relationship.destination) ? "\(relationship.name).\(member)" : relationship.name
    }

    static func position(_ relationship: RelationshipDescription) -> String {
        "_order.\(relationship.name)"
    }

    func isOrderedBack(_ relationship: RelationshipDescription, in entity: String) -> Bool {
        inverse(of: relationship, in: entity).map { $0.isToMany && $0.isOrdered } ?? false
    }

    /// Returns the relationships of an entity that have columns in its table.
    private func relationshipsWithColumns(of entity: String) -> [RelationshipDescription] {
        model.relationships(of: entity).filter { hasColumn($0, in: entity) }
    }

    /// Returns the reference columns in an entity's table.
    func columns(of entity: String) -> [Column] {
        relationshipsWithColumns(of: entity)
            .flatMap { relationship in
                let references = members(relationship.destination).map { reference(relationship, to: $0) }
                guard isOrderedBack(relationship, in: entity) else { return references }
                let position = AttributeDescription(Self.position(relationship), .int64)
                return references + [Column(description: position.asOptional, destination: nil)]
            }
    }

    /// Checks that every entity's columns fit into a table, before anything is made for each of them.
    ///
    /// - Throws: `StoreError` with the code `limit-exceeded` if an entity has too many columns.
    func requireRoomForColumns() throws(StoreError) {
        for entity in model.entities.filter({ !$0.isAbstract }).map(\.name) {
            let attributes = model.attributes(of: entity).filter { !$0.isTransient }
            let relationships = relationshipsWithColumns(of: entity)
            // The number and the version of an object are columns, too.
            var count = 2 + attributes.count + model.projections(of: entity).count
            count += attributes.reduce(0) { $0 + $1.projections.count }
            count += relationships.reduce(0) { $0 + members($1.destination).count }
            count += relationships.count(where: { isOrderedBack($0, in: entity) })
            guard count <= Self.columnLimit else {
                let reason = "a relationship to an entity with children has a column for each of them"
                let message = "its table would have \(count) columns, but can have up to \(Self.columnLimit); \(reason)"
                throw StoreError(.limitExceeded, message, entity: entity)
            }
        }
    }

    /// Checks that a new store would not have so many indexes that creating them takes minutes.
    ///
    /// - Throws: `StoreError` with the code `limit-exceeded` if it would.
    func requireFewIndexes() throws(StoreError) {
        let count = model.entities.filter { !$0.isAbstract }.reduce(0) { $0 + indexCount(of: $1) }
        guard count > Self.indexLimit else { return }
        let reason = "a relationship to an entity with children has an index for each of them in each table"
        let limit = "a new store can have up to \(Self.indexLimit)"
        throw StoreError(.limitExceeded, "its tables would have \(count) indexes, but \(limit); \(reason)")
    }

    /// Returns the number of indexes of an entity's table and of the tables of its pairs.
    private func indexCount(of entity: EntityDescription) -> Int {
        let attributes = model.attributes(of: entity.name)
        var count = attributes.count(where: { $0.isIndexed || $0.isUnique })
        count += attributes.flatMap(\.projections).count(where: \.isIndexed)
        count += uniqueness(of: entity.name).count + model.indexes(of: entity.name).count
        for relationship in model.relationships(of: entity.name)
        where hasColumn(relationship, in: entity.name) || hasPairs(relationship, in: entity.name) {
            count += members(relationship.destination).count
        }
        return count
    }

    private func reference(_ relationship: RelationshipDescription, to member: String) -> Column {
        let isFamily = isFamily(relationship.destination)
        var description = AttributeDescription(column(relationship, to: member), .int64)
        description.isOptional = isFamily || relationship.isOptional
        description.isIndexed = true
        return Column(description: description, destination: member)
    }

    /// Returns the columns of each reference to a family, at most one of which can contain a number.
    ///
    /// A reference to an abstract entity without children has no column, because nothing can be stored in it.
    package func choices(of entity: String) -> [TableDescription.Choice] {
        relationshipsWithColumns(of: entity)
            .filter { isFamily($0.destination) && !members($0.destination).isEmpty }
            .map { relationship in
                let columns = members(relationship.destination).map { column(relationship, to: $0) }
                return TableDescription.Choice(columns, isRequired: !relationship.isOptional)
            }
    }

    /// Returns the table constraints for references to families.
    func checks(of entity: String) -> [String] {
        choices(of: entity)
            .map { choice in
                let terms = choice.columns.map { "(\(SQL.quoted($0)) IS NOT NULL)" }
                return "CHECK (\(terms.joined(separator: " + ")) \(choice.isRequired ? "=" : "<=") 1)"
            }
    }
}

// MARK: - Tenants

extension RelationshipPlan {
    /// Returns the table constraints for references that must not lead to objects of another tenant.
    func tenantKeys(of entity: String) -> [String] {
        columns(of: entity)
            .compactMap { column in
                guard let destination = column.destination, model.belongsToTenants(destination) else { return nil }
                return TenantColumn.foreignKey(column.description.name, to: destination)
            }
    }
}

// MARK: - Storage

extension RelationshipPlan {
    /// Returns the relationships of an entity whose columns are among the given attributes.
    func relationships(of entity: String, _ attributes: [StoredAttribute]) -> [StoredRelationship] {
        let places = NameTable(attributes.map(\.name))
        return model.relationships(of: entity).enumerated()
            .map { index, relationship in
                let inverse = inverse(of: relationship, in: entity)
                return StoredRelationship(
                    index: index,
                    description: relationship,
                    parts: parts(of: relationship, in: entity, inverse, places),
                    inverse: inverse,
                    isOwnInverse: isOwnInverse(relationship, in: entity),
                    position: places[Self.position(relationship)]
                )
            }
    }

    private func parts(
        of relationship: RelationshipDescription,
        in entity: String,
        _ inverse: RelationshipDescription?,
        _ places: NameTable
    ) -> [StoredRelationship.Part] {
        func parts(_ storage: (_ member: String) -> StoredRelationship.Storage) -> [StoredRelationship.Part] {
            members(relationship.destination).map { StoredRelationship.Part(destination: $0, storage: storage($0)) }
        }
        if hasColumn(relationship, in: entity) {
            return parts { .column(places[column(relationship, to: $0)] ?? 0) }
        }
        if let inverse, !inverse.isToMany {
            let name = column(inverse, to: entity)
            return parts { _ in .inverseColumn(name) }
        }
        guard !isFirst(relationship, in: entity) else {
            return parts { .pairs(table: TableName(pairTable(relationship, entity, $0)), own: .first) }
        }
        return parts { member in
            let table = inverse.map { pairTable($0, member, entity) } ?? ""
            return .pairs(table: TableName(table), own: .second)
        }
    }

    /// Returns a Boolean value that indicates whether a relationship's own objects are on the first side of its pairs.
    private func isFirst(_ relationship: RelationshipDescription, in entity: String) -> Bool {
        guard let inverse = inverse(of: relationship, in: entity) else { return true }
        return key(entity, relationship) <= key(relationship.destination, inverse)
    }

    /// Returns a Boolean value that indicates whether a relationship has a table of pairs with the entity on the first
    /// side.
    func hasPairs(_ relationship: RelationshipDescription, in entity: String) -> Bool {
        relationship.isToMany && inverse(of: relationship, in: entity)?.isToMany != false
            && isFirst(relationship, in: entity)
    }

    func pairTable(_ relationship: RelationshipDescription, _ first: String, _ second: String) -> String {
        let family = isFamily(relationship.destination) ? ".\(second)" : ""
        return "_pairs.\(first).\(relationship.name)\(family)"
    }

    /// Returns the statements that create the tables of pairs with an entity on the first side.
    func tables(of entity: EntityDescription) -> [String] {
        pairTables(of: entity).flatMap(\.statements)
    }

    /// Returns the tables of pairs with an entity on the first side, along with the statements that create each of
    /// them.
    func pairTables(of entity: EntityDescription) -> [(name: TableName, statements: [String])] {
        model.relationships(of: entity.name)
            .filter { hasPairs($0, in: entity.name) }
            .flatMap { relationship in
                members(relationship.destination).map { pairTable(relationship, of: entity.name, to: $0) }
            }
    }

    private func pairTable(
        _ relationship: RelationshipDescription,
        of entity: String,
        to member: String
    ) -> (name: TableName, statements: [String]) {
        let table = TableName(pairTable(relationship, entity, member))
        let inverse = inverse(of: relationship, in: entity)
        // Pairs belong to tenants if both objects do, because no relationship leads to several shared objects.
        let isOwned = model.belongsToTenants(entity)
        func key(to table: String) -> String {
            isOwned ? "" : " REFERENCES \(SQL.quoted(table)) DEFERRABLE INITIALLY DEFERRED"
        }
        var columns = [
            "\"first\" INTEGER NOT NULL\(key(to: entity))", "\"second\" INTEGER NOT NULL\(key(to: member))",
        ]
        if isOwned { columns.append(TenantColumn.definition) }
        if relationship.isOrdered { columns.append("\"first_order\" INTEGER") }
        if inverse?.isOrdered == true, !isOwnInverse(relationship, in: entity) {
            columns.append("\"second_order\" INTEGER")
        }
        columns.append("PRIMARY KEY (\"first\", \"second\")")
        if isOwned {
            columns += [TenantColumn.foreignKey("first", to: entity), TenantColumn.foreignKey("second", to: member)]
        }
        let create = "CREATE TABLE \(table) (\(columns.joined(separator: ", "))) WITHOUT ROWID"
        let index = SQL.quoted("_index.\(table.name)")
        return (table, [create, "CREATE INDEX \(index) ON \(table) (\"second\")"])
    }
}

extension AttributeDescription {
    fileprivate var asOptional: Self {
        var copy = self
        copy.isOptional = true
        return copy
    }

    /// Whether the column belongs to the store itself, rather than to an attribute of the model.
    var isInternal: Bool { name.hasPrefix("_") }
}
