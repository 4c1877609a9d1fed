/// The place where a file stores the references between objects of two entities, for a relationship and its inverse.
struct ReferenceLink: Equatable {
    enum Place: Equatable {
        /// A column of the first entity's table, along with the column of positions among the objects with the same
        /// reference.
        case column(String, position: String?)
        /// A table of pairs, and whether each side is ordered.
        case pairs(String, isFirstOrdered: Bool, isSecondOrdered: Bool)
    }

    /// The entity that has the column, or that is on the first side of the pairs.
    let first: String
    let relationship: RelationshipDescription
    let second: String
    /// The inverse relationship, or `nil` if there is none.
    let inverse: RelationshipDescription?
    let isOwnInverse: Bool
    let place: Place

    var isColumn: Bool {
        if case .column = place { return true }
        return false
    }

    /// No position, as a number, because PostgreSQL takes a mere `NULL` for text.
    static let none = "CAST(NULL AS BIGINT)"

    /// The statement that selects the references in the file: numbers, and the positions on both sides.
    var selection: String {
        switch place {
        case .column(let name, let position):
            let column = SQL.quoted(name)
            return """
                SELECT "_id" AS "first", \(column) AS "second", \(Self.none) AS "first_order", \
                \(position.map(SQL.quoted) ?? Self.none) AS "second_order" FROM \(SQL.quoted(first)) WHERE \(column) IS NOT NULL
                """
        case .pairs(let table, let isFirstOrdered, let isSecondOrdered):
            return """
                SELECT "first", "second", \(isFirstOrdered ? "\"first_order\"" : Self.none) AS "first_order", \
                \(isSecondOrdered ? "\"second_order\"" : Self.none) AS "second_order" FROM \(SQL.quoted(table))
                """
        }
    }

    /// The same statement with the two sides exchanged.
    var flippedSelection: String {
        """
        SELECT "second" AS "first", "first" AS "second", "second_order" AS "first_order", "first_order" AS "second_order" \
        FROM (\(selection)) AS "references"
        """
    }
}

extension RelationshipPlan {
    /// All links of the model.
    var links: [ReferenceLink] {
        model.entities.filter { !$0.isAbstract }.flatMap { links(of: $0.name) }
    }

    /// Returns the links in which an entity is on the first side.
    private func links(of entity: String) -> [ReferenceLink] {
        model.relationships(of: entity).filter { hasColumn($0, in: entity) || hasPairs($0, in: entity) }
            .flatMap { relationship in
                members(relationship.destination)
                    .map { member in
                        ReferenceLink(
                            first: entity,
                            relationship: relationship,
                            second: member,
                            inverse: inverse(of: relationship, in: entity),
                            isOwnInverse: isOwnInverse(relationship, in: entity),
                            place: place(of: relationship, in: entity, to: member)
                        )
                    }
            }
    }

    private func place(of relationship: RelationshipDescription, in entity: String, to member: String)
        -> ReferenceLink.Place
    {
        guard !hasColumn(relationship, in: entity) else {
            let isOrdered = isOrderedBack(relationship, in: entity)
            return .column(
                column(relationship, to: member),
                position: isOrdered ? Self.position(relationship) : nil
            )
        }
        let isSecondOrdered = inverse(of: relationship, in: entity)?.isOrdered == true
        return .pairs(
            pairTable(relationship, entity, member),
            isFirstOrdered: relationship.isOrdered,
            isSecondOrdered: isSecondOrdered && !isOwnInverse(relationship, in: entity)
        )
    }
}
