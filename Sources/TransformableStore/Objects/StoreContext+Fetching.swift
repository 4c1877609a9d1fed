internal import GRDB
internal import Transformable

/// A fetch with its SQL made and its names found.
struct BoundFetch {
    let entity: StoredEntity
    let condition: BoundCondition
    let order: String
    let limit: Int?
    let offset: Int

    /// The rest of a statement after the name of its table.
    ///
    /// Where values have to be looked at, it is they who count.
    func clause(counting: Bool = false) -> SQLFragment {
        var fragment = condition.sql() ?? .always
        fragment.text = " WHERE \(fragment.text)"
        if !counting { fragment.text += order }
        guard condition.isExact, limit != nil || offset > 0, !counting else { return fragment }
        fragment.text += " LIMIT ? OFFSET ?"
        fragment.values += [.integer(Int64(limit ?? -1)), .integer(Int64(offset))]
        return fragment
    }
}

extension StoreContext {
    /// Finds objects.
    ///
    /// - Parameters:
    ///   - entity: The entity's name.
    ///   - condition: Which objects.
    ///   - order: What to sort by, the most important first; objects that agree come in the order of insertion.
    ///   - limit: How many at most.
    ///   - offset: How many to leave out at the beginning.
    /// - Returns: The objects.
    /// - Throws: ``StoreError``: an unknown name, a condition or an order that cannot be had.
    public func fetch(
        _ entity: String,
        where condition: Condition = .all,
        sortedBy order: [SortKey] = [],
        limit: Int? = nil,
        offset: Int = 0
    ) throws -> [ManagedObject] {
        var objects: [ManagedObject] = []
        try forEach(entity, where: condition, sortedBy: order, limit: limit, offset: offset) { objects.append($0) }
        return objects
    }

    /// Finds the first object.
    ///
    /// - Parameters:
    ///   - entity: The entity's name.
    ///   - condition: Which objects.
    ///   - order: What to sort by, the most important first.
    /// - Returns: The object; nil if there is none.
    /// - Throws: ``StoreError``: an unknown name, a condition or an order that cannot be had.
    public func first(
        _ entity: String,
        where condition: Condition = .all,
        sortedBy order: [SortKey] = []
    ) throws -> ManagedObject? {
        try fetch(entity, where: condition, sortedBy: order, limit: 1).first
    }

    /// Goes through objects one by one, in constant memory unless they are kept.
    ///
    /// - Parameters:
    ///   - entity: The entity's name.
    ///   - condition: Which objects.
    ///   - order: What to sort by, the most important first; objects that agree come in the order of insertion.
    ///   - limit: How many at most.
    ///   - offset: How many to leave out at the beginning.
    ///   - body: Takes each object.
    /// - Throws: ``StoreError``: an unknown name, a condition or an order that cannot be had; and what the body
    ///   throws.
    public func forEach(
        _ entity: String,
        where condition: Condition = .all,
        sortedBy order: [SortKey] = [],
        limit: Int? = nil,
        offset: Int = 0,
        _ body: (ManagedObject) throws -> Void
    ) throws {
        let fetch = try bind(entity, condition, order, limit, offset)
        let clause = fetch.clause()
        let statement = try SQLStatement(fetch.entity.selectList + clause.text, on: database(), cached: false)
        try statement.bind(clause.values)
        defer { statement.reset() }
        guard !fetch.condition.isExact else {
            while try statement.step() {
                try body(object(at: statement, fetch.entity))
            }
            return
        }
        try forEachVerified(fetch, statement, body)
    }

    private func forEachVerified(
        _ fetch: BoundFetch,
        _ statement: SQLStatement,
        _ body: (ManagedObject) throws -> Void
    ) throws {
        var skipped = 0
        var found = 0
        while fetch.limit.map({ found < $0 }) ?? true, try statement.step() {
            let object = try object(at: statement, fetch.entity)
            guard try fetch.condition.matches(object) == true else { continue }
            guard skipped >= fetch.offset else {
                skipped += 1
                continue
            }
            found += 1
            try body(object)
        }
    }

    /// Counts objects.
    ///
    /// - Parameters:
    ///   - entity: The entity's name.
    ///   - condition: Which objects.
    /// - Returns: How many there are.
    /// - Throws: ``StoreError``: an unknown name or a condition that cannot be had.
    public func count(_ entity: String, where condition: Condition = .all) throws -> Int {
        let fetch = try bind(entity, condition, [], nil, 0)
        guard fetch.condition.isExact else {
            var count = 0
            try forEach(entity, where: condition) { _ in count += 1 }
            return count
        }
        let clause = fetch.clause(counting: true)
        let sql = "SELECT count(*) FROM \(fetch.entity.table)\(clause.text)"
        return Int(try SQLStatement.integer(sql, clause.values, on: database()))
    }

    /// Says whether there is an object.
    ///
    /// - Parameters:
    ///   - entity: The entity's name.
    ///   - condition: Which objects.
    /// - Returns: Whether there is at least one.
    /// - Throws: ``StoreError``: an unknown name or a condition that cannot be had.
    public func exists(_ entity: String, where condition: Condition = .all) throws -> Bool {
        try !ids(entity, where: condition, limit: 1).isEmpty
    }

    /// Finds the ids of objects, without reading more where that is possible.
    ///
    /// - Parameters:
    ///   - entity: The entity's name.
    ///   - condition: Which objects.
    ///   - order: What to sort by, the most important first; objects that agree come in the order of insertion.
    ///   - limit: How many at most.
    ///   - offset: How many to leave out at the beginning.
    /// - Returns: The ids.
    /// - Throws: ``StoreError``: an unknown name, a condition or an order that cannot be had.
    public func ids(
        _ entity: String,
        where condition: Condition = .all,
        sortedBy order: [SortKey] = [],
        limit: Int? = nil,
        offset: Int = 0
    ) throws -> [ObjectID] {
        let fetch = try bind(entity, condition, order, limit, offset)
        var ids: [ObjectID] = []
        guard fetch.condition.isExact else {
            try forEach(entity, where: condition, sortedBy: order, limit: limit, offset: offset) { ids.append($0.id) }
            return ids
        }
        let clause = fetch.clause()
        let sql = "SELECT \"_id\" FROM \(fetch.entity.table)\(clause.text)"
        let statement = try SQLStatement(sql, on: database(), cached: false)
        try statement.bind(clause.values)
        defer { statement.reset() }
        while try statement.step() {
            ids.append(ObjectID(entity: entity, number: statement.integer(0)))
        }
        return ids
    }

    /// Deletes all objects that satisfy a condition.
    ///
    /// - Parameters:
    ///   - entity: The entity's name.
    ///   - condition: Which objects.
    /// - Returns: How many there were.
    /// - Throws: ``StoreError``: an unknown name or a condition that cannot be had.
    @discardableResult
    public func delete(_ entity: String, where condition: Condition) throws -> Int {
        try requireWritable()
        let objects = try fetch(entity, where: condition)
        for object in objects {
            try delete(object)
        }
        return objects.count
    }

    /// Finds the names of a fetch.
    ///
    /// What has changed is written first, so that SQL sees it.
    private func bind(
        _ name: String,
        _ condition: Condition,
        _ order: [SortKey],
        _ limit: Int?,
        _ offset: Int
    ) throws -> BoundFetch {
        if let limit, limit < 0 { throw StoreError(.invalidCondition, "the limit is negative") }
        guard offset >= 0 else { throw StoreError(.invalidCondition, "the offset is negative") }
        try save()
        let entity = try schema.entity(name)
        let place = TransformContext(store: schema.uuid, entity: entity.id)
        let bound = try ConditionBinder(entity: entity, context: place).bind(condition.node)
        guard (bound.sql()?.values.count ?? 0) <= 30_000 else {
            throw StoreError(.limitExceeded, "the condition has more than 30,000 values", entity: name)
        }
        return BoundFetch(
            entity: entity,
            condition: bound,
            order: try clause(order, entity),
            limit: limit,
            offset: offset
        )
    }

    private func clause(_ order: [SortKey], _ entity: StoredEntity) throws(StoreError) -> String {
        var terms: [String] = []
        for key in order {
            let column = try SortColumn.name(of: key, in: entity)
            terms.append("\(SQL.quoted(column))\(key.isDescending ? " DESC" : "")")
        }
        return " ORDER BY \((terms + ["\"_id\""]).joined(separator: ", "))"
    }
}

/// Which column puts objects in the order of an attribute.
enum SortColumn {
    static func name(of key: SortKey, in entity: StoredEntity) throws(StoreError) -> String {
        if key.name == "_id" { return key.name }
        if let (attribute, index) = entity.projection(key.name) {
            if let failure = attribute.projections[index].failure { throw failure }
            return key.name
        }
        let attribute = try entity.attribute(key.name)
        switch attribute.description.type {
        case .transformed:
            guard let projection = attribute.projections.first(where: \.isOrdered) else {
                throw refusal("no projection of it keeps its order", attribute)
            }
            return projection.name
        case .decimal: throw refusal("decimals are text in the file, which SQL does not put in order", attribute)
        case .undefined: throw refusal("it is kept in memory only", attribute)
        default: return attribute.name
        }
    }

    private static func refusal(_ reason: String, _ attribute: StoredAttribute) -> StoreError {
        StoreError(
            .unsupported,
            "objects cannot be sorted by it: \(reason)",
            entity: attribute.entity,
            attribute: attribute.name
        )
    }
}
