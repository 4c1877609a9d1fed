/// An entity's table in a statement, along with the alias that its columns use.
struct Scope {
    let entity: StoredEntity
    let alias: String
    /// The number of enclosing tables.
    let depth: Int

    /// Creates the scope of a statement's main table.
    init(_ entity: StoredEntity) {
        self.entity = entity
        alias = entity.table
        depth = 0
    }

    fileprivate init(_ entity: StoredEntity, depth: Int) {
        self.entity = entity
        // Entity names never start with an underscore.
        alias = "\"_\(depth)\""
        self.depth = depth
    }

    func column(_ name: String) -> SQLFragment {
        SQLFragment("\(alias).\(SQL.quoted(name))", reach: depth)
    }
}

/// A relationship's objects in a nested statement.
struct RelationshipJoin {
    /// The table of the related objects.
    let scope: Scope
    /// The source to select from.
    private let source: String
    /// The column that leads back.
    private let link: SQLFragment
    /// The value that the column must be equal to.
    let key: SQLFragment

    init(_ part: StoredRelationship.Part, of owner: Scope, depth: Int, in schema: StoreSchema) throws(StoreError) {
        let scope = Scope(try schema.entity(part.destination), depth: depth)
        let table = "\(scope.entity.table) AS \(scope.alias)"
        self.scope = scope
        switch part.storage {
        case .column(let index):
            (source, link) = (table, scope.column("_id"))
            key = owner.column(owner.entity.attributes[index].name)
        case .inverseColumn(let column):
            (source, link) = (table, scope.column(column))
            key = owner.column("_id")
        case .pairs(let pairs, let own):
            let alias = "\"_\(depth)_pairs\""
            source =
                "\(pairs) AS \(alias) JOIN \(table) ON \(scope.column("_id").text) = \(alias).\(own.opposite.column)"
            link = SQLFragment("\(alias).\(own.column)", reach: depth)
            key = owner.column("_id")
        }
    }

    /// Returns the SQL for a test whether a related object satisfies a condition.
    ///
    /// A condition that does not use an outer table is evaluated only once for all objects.
    func exists(_ condition: SQLFragment) -> SQLFragment {
        condition.reach >= scope.depth
            ? "\(key) IN (SELECT \(link) FROM \(raw: source) WHERE \(condition))"
            : "EXISTS (SELECT 1 FROM \(raw: source) WHERE \(link) = \(key) AND \(condition))"
    }

    /// Returns the SQL for an aggregate over the related objects.
    func select(_ result: SQLFragment, where condition: SQLFragment = .always) -> SQLFragment {
        "(\(rows(result, where: condition)))"
    }

    /// Returns a statement that selects an expression for each related object that satisfies a condition.
    func rows(_ result: SQLFragment, where condition: SQLFragment = .always) -> SQLFragment {
        "SELECT \(result) FROM \(raw: source) WHERE \(link) = \(key) AND \(condition)"
    }
}
