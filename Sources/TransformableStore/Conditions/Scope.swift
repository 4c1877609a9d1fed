internal import Transformable

/// An entity's table in a statement, along with the alias that its columns use.
struct Scope {
    let entity: StoredEntity
    let alias: String
    /// The enclosing scopes, outermost first.
    let enclosing: [Self]
    /// How its objects are found from those of an enclosing scope, or `nil` for a statement's main table.
    fileprivate(set) var link: Link?

    /// A relationship between two scopes.
    struct Link {
        /// The source to select from.
        let source: String
        /// The column that leads back.
        let column: SQLFragment
        /// The value that the column must be equal to.
        let key: SQLFragment
        /// Whether there is at most one object.
        let leadsToOne: Bool
    }

    /// Creates the scope of a statement's main table.
    init(_ entity: StoredEntity) {
        self.entity = entity
        alias = entity.table.description
        enclosing = []
    }

    fileprivate init(_ entity: StoredEntity, in scope: Self) {
        self.entity = entity
        enclosing = scope.enclosing + [scope]
        // Entity names never start with an underscore.
        alias = "\"_\(enclosing.count)\""
    }

    /// The number of enclosing tables.
    var depth: Int { enclosing.count }

    /// The source to select from, if it is the outermost one of a statement.
    fileprivate var source: String { depth == 0 ? entity.table.description : "\(entity.table) AS \(alias)" }

    /// Returns a column, whose name may be written with other scalars than in the model.
    func column(_ name: String) -> SQLFragment {
        SQLFragment("\(alias).\(SQL.quoted(name.composed))", reach: depth)
    }
}

/// A relationship's objects in a nested statement.
struct RelationshipJoin {
    /// The table of the related objects.
    let scope: Scope
    private let link: Scope.Link

    /// Creates a join.
    ///
    /// - Parameters:
    ///   - relationship: The relationship.
    ///   - part: The table that the relationship leads to.
    ///   - owner: The scope of the objects that have the relationship.
    ///   - outer: The innermost scope around the new one, which is the owner's or nested in it.
    ///   - schema: The schema of the store.
    /// - Throws: `StoreError` if the relationship leads to an unknown entity.
    init(
        _ relationship: StoredRelationship,
        to part: StoredRelationship.Part,
        of owner: Scope,
        in outer: Scope,
        _ schema: StoreSchema
    ) throws(StoreError) {
        var scope = Scope(try schema.entity(part.destination), in: outer)
        let table = scope.source
        let leadsToOne = !relationship.description.isToMany
        switch part.storage {
        case .column(let index):
            let key = owner.column(owner.entity.attributes[index].name)
            link = Scope.Link(source: table, column: scope.column("_id"), key: key, leadsToOne: leadsToOne)
        case .inverseColumn(let column):
            let key = owner.column("_id")
            link = Scope.Link(source: table, column: scope.column(column), key: key, leadsToOne: leadsToOne)
        case .pairs(let pairs, let own):
            let alias = "\"_\(scope.depth)_pairs\""
            let back = "\(alias).\(own.opposite.column)"
            link = Scope.Link(
                source: "\(pairs) AS \(alias) JOIN \(table) ON \(scope.column("_id").text) = \(back)",
                column: SQLFragment("\(alias).\(own.column)", reach: scope.depth),
                key: owner.column("_id"),
                leadsToOne: leadsToOne
            )
        }
        scope.link = link
        self.scope = scope
    }

    /// Returns the SQL for a test whether a related object passes another test.
    ///
    /// A test that does not use an outer table is evaluated only once for all objects.
    func exists(_ filter: SQLFragment) -> SQLFragment {
        let sql: SQLFragment =
            filter.reach >= scope.depth
            ? "\(link.key) IN (SELECT \(link.column) FROM \(raw: link.source) WHERE \(filter))"
            : "EXISTS (SELECT 1 FROM \(raw: link.source) WHERE \(link.column) = \(link.key) AND \(filter))"
        return sql.ofOthers
    }

    /// Returns the SQL for an aggregate over the related objects.
    func select(_ result: SQLFragment, where filter: SQLFragment = .always) -> SQLFragment {
        let sql: SQLFragment = "(\(rows(result, where: filter)))"
        return sql.ofOthers
    }

    /// Returns a statement that selects an expression for each related object that passes a test.
    func rows(_ result: SQLFragment, where filter: SQLFragment = .always) -> SQLFragment {
        "SELECT \(result) FROM \(raw: link.source) WHERE \(link.column) = \(link.key) AND \(filter)"
    }

    /// Returns the value of an expression for the only related object, or null if there is none.
    func value(of expression: Expression) -> Expression {
        switch expression {
        case .constant(let value): return value == .null ? expression : .sql(select("\(value)"))
        case .sql(let sql): return .sql(select(sql))
        case .swift(let parts, let body):
            // The expression may have a value even if all that it depends on is null.
            let isPresent = Expression.sql(select("1"))
            return .swift([isPresent, .swift(parts.map(value), body)]) { arguments in
                try arguments[0] == .null ? .null : arguments[1]
            }
        }
    }
}

// MARK: - One related object

/// A related object that a fetch depends on, so that the tag of its row is checked.
struct RelatedMatch {
    let join: RelationshipJoin
    /// A test that the object passes.
    ///
    /// If several objects do, one of them proves that there is a match.
    var filter = SQLFragment.always

    /// Returns a column that checks the tag.
    ///
    /// - Parameter isOverlaid: Whether pending changes are laid over the object's table.
    /// - Returns: The column, or `nil` if the object's rows have no tags.
    func check(isOverlaid: Bool) -> SQLFragment? {
        guard let seal = join.scope.entity.rowSeal else { return nil }
        let alias = join.scope.alias
        let check = isOverlaid ? "\(alias).\(RowSeal.column)" : seal.check(ofRelated: alias)
        let sources = join.links.map(\.source).joined(separator: " CROSS JOIN ")
        let tests = join.links.map { "\($0.column) = \($0.key)" as SQLFragment } + [filter]
        return "(SELECT \(raw: check) FROM \(raw: sources) WHERE \(.list(tests, by: " AND ")) LIMIT 1)"
    }
}

extension RelationshipJoin {
    /// The relationships that lead from the statement's main table to the related objects.
    fileprivate var links: [Scope.Link] { scope.enclosing.compactMap(\.link) + [link] }

    /// Whether the statement's main table leads to at most one object.
    var leadsToOne: Bool { links.allSatisfy(\.leadsToOne) }
}

// MARK: - All related objects at once

extension RelationshipJoin {
    /// What identifies an object of the owner among those that a statement over all related objects returns: the value
    /// that leads to them, or the numbers of the objects in all scopes that the statement uses.
    func keys(reaching reach: Int) -> [SQLFragment] {
        guard reach < scope.depth else { return [link.key.ofOthers] }
        return scope.enclosing[reach...].map { $0.column("_id").ofOthers }
    }

    /// Returns the outermost scope that a statement must contain if it uses a scope, because the objects of each scope are
    /// found from those of an enclosing one, which may be further out.
    func reach(from outermost: Int) -> Int {
        guard outermost < scope.depth else { return outermost }
        let links = scope.enclosing[(outermost + 1)...].compactMap(\.link) + [link]
        let reach = links.map(\.key.reach).min() ?? outermost
        return reach < outermost ? self.reach(from: reach) : outermost
    }

    /// Returns a statement over the related objects of all objects.
    ///
    /// - Parameters:
    ///   - columns: The columns to select after the keys.
    ///   - filter: A test of the related objects.
    ///   - reach: The outermost scope that is used.
    /// - Returns: The statement.
    func all(_ columns: [SQLFragment], where filter: SQLFragment, reaching reach: Int) -> SQLFragment {
        guard reach < scope.depth else {
            return """
                SELECT \(.list([link.column] + columns)) FROM \(raw: link.source) \
                WHERE \(link.column) IS NOT NULL AND \(filter)
                """
        }
        let outer = scope.enclosing[reach...]
        let nested = outer.dropFirst().compactMap(\.link) + [link]
        let sources = ([outer[outer.startIndex].source] + nested.map(\.source)).joined(separator: " CROSS JOIN ")
        let links = nested.map { "\($0.column) = \($0.key)" as SQLFragment }
        return """
            SELECT \(.list(keys(reaching: reach) + columns)) FROM \(raw: sources) \
            WHERE \(.list(links, by: " AND ")) AND \(filter)
            """
    }
}
