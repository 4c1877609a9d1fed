/// An entity's table in a statement, under the name that its columns go by.
struct Scope {
    let entity: StoredEntity
    let alias: String
    /// How many tables enclose it.
    let depth: Int

    /// The table that a statement is about.
    init(_ entity: StoredEntity) {
        self.entity = entity
        alias = entity.table
        depth = 0
    }

    fileprivate init(_ entity: StoredEntity, depth: Int) {
        self.entity = entity
        // No entity's name begins with an underscore.
        alias = "\"_\(depth)\""
        self.depth = depth
    }

    func column(_ name: String) -> SQLFragment {
        SQLFragment("\(alias).\(SQL.quoted(name))", reach: depth)
    }
}

/// The objects that a relationship leads to, in a statement inside another one.
struct RelationshipJoin {
    /// The table of the objects it leads to.
    let scope: Scope
    /// What is selected from.
    private let source: String
    /// The column there that leads back.
    private let link: SQLFragment
    /// What it has to be equal to.
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
        case .pairs(let pairs, let own, let other):
            let alias = "\"_\(depth)_pairs\""
            source = "\(pairs) AS \(alias) JOIN \(table) ON \(scope.column("_id").text) = \(alias).\(other)"
            link = SQLFragment("\(alias).\(own)", reach: depth)
            key = owner.column("_id")
        }
    }

    /// Whether it leads to an object that satisfies a condition.
    ///
    /// A condition that names no table further out is answered once for all objects.
    func exists(_ condition: SQLFragment) -> SQLFragment {
        condition.reach >= scope.depth
            ? "\(key) IN (SELECT \(link) FROM \(raw: source) WHERE \(condition))"
            : "EXISTS (SELECT 1 FROM \(raw: source) WHERE \(link) = \(key) AND \(condition))"
    }

    /// What the objects it leads to come to.
    func select(_ result: SQLFragment, where condition: SQLFragment = .always) -> SQLFragment {
        "(\(rows(result, where: condition)))"
    }

    /// A statement that gives something of each of the objects that satisfy a condition.
    func rows(_ result: SQLFragment, where condition: SQLFragment = .always) -> SQLFragment {
        "SELECT \(result) FROM \(raw: source) WHERE \(link) = \(key) AND \(condition)"
    }
}
