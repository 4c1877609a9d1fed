internal import GRDB
internal import Transformable

/// A fetch with its SQL made and its names found.
struct BoundFetch {
    let entity: StoredEntity
    let condition: BoundCondition
    /// What to sort by, the number last.
    let order: [(term: SQLFragment, isDescending: Bool)]
    let limit: Int?
    let offset: Int

    private var cut: SQLFragment {
        guard limit != nil || offset > 0 else { return "" }
        return " LIMIT \(.integer(Int64(limit ?? -1))) OFFSET \(.integer(Int64(offset)))"
    }

    /// A statement over the entity's table.
    func select(_ head: String) -> SQLFragment {
        let terms: [SQLFragment] = order.map { "\($0.term)\(raw: $0.isDescending ? " DESC" : "")" }
        return "\(raw: head) WHERE \(condition.holds) ORDER BY \(.list(terms))\(cut)"
    }

    var count: SQLFragment {
        "SELECT count(*) FROM \(raw: entity.table) WHERE \(condition.holds)"
    }

    /// A statement over the tables of a family: places of entities, numbers, what is sorted by, and further columns.
    static func union(_ family: [Self], selecting more: [String] = []) -> SQLFragment {
        guard let first = family.first else { return "SELECT 0, 0 WHERE 0" }
        let parts: [SQLFragment] = family.map { fetch in
            let columns: [SQLFragment] = fetch.order.enumerated().map { "\($1.term) AS \"sort\(raw: "\($0)")\"" }
            let head = ["\(fetch.entity.index) AS \"place\"", "\"_id\" AS \"number\""]
            let list = head.map { SQLFragment($0) } + columns + more.map { SQLFragment($0) }
            return "SELECT \(.list(list)) FROM \(raw: fetch.entity.table) WHERE \(fetch.condition.holds)"
        }
        // Among several tables the number says nothing until the entity is known.
        let terms = first.order.dropLast().enumerated().map { "\"sort\($0)\"\($1.isDescending ? " DESC" : "")" }
        let order = (terms + (family.count > 1 ? ["\"place\""] : []) + ["\"number\""]).joined(separator: ", ")
        return "\(.list(parts, by: " UNION ALL ")) ORDER BY \(raw: order)\(first.cut)"
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
        guard try laysPending() else {
            return try forEachStored(bind(entity, condition, order, limit, offset), body)
        }
        // The body may change or save, which it could not while a statement is under way.
        var objects: [ManagedObject] = []
        try Overlay.run(self) {
            try forEachStored(bind(entity, condition, order, limit, offset)) { objects.append($0) }
        }
        try objects.forEach(body)
    }

    /// Whether there may be changes that only the context knows of while it fetches.
    private var fetchesPending: Bool { isEditing || phase == .preparing || phase == .writing }

    /// Runs a fetch that sees what was changed: in a block by writing it first if it can be, else by laying it over the tables.
    func withPending<Result>(_ body: () throws -> Result) throws -> Result {
        try laysPending() ? Overlay.run(self, body) : body()
    }

    /// Whether a fetch lays what is pending over the tables; otherwise it is written now.
    ///
    /// What breaks uniqueness so far stays pending, since the end of the block may have it otherwise.
    private func laysPending() throws -> Bool {
        guard !fetchesPending else { return true }
        return try !succeedsIfUnique(flush)
    }

    private func forEachStored(_ family: [BoundFetch], _ body: (ManagedObject) throws -> Void) throws {
        guard family.count == 1, let fetch = family.first else { return try forEach(of: family, body) }
        let statement = try SQLStatement(fetch.select(fetch.entity.selectList), on: database())
        defer { statement.reset() }
        while try statement.step() {
            try body(object(at: statement, fetch.entity))
        }
    }

    /// Goes through the objects of several entities, as one order has them.
    private func forEach(of family: [BoundFetch], _ body: (ManagedObject) throws -> Void) throws {
        let statement = try SQLStatement(BoundFetch.union(family), on: database())
        defer { statement.reset() }
        while try statement.step() {
            let entity = schema.entities[Int(statement.integer(0))]
            try body(object(ObjectID(entity: entity.name, number: statement.integer(1))))
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
        try withPending {
            try bind(entity, condition, [], nil, 0)
                .reduce(0) { count, fetch in
                    let statement = try SQLStatement(fetch.count, on: database())
                    defer { statement.reset() }
                    return try statement.step() ? count + Int(statement.integer(0)) : count
                }
        }
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
        try withPending {
            let family = try bind(entity, condition, order, limit, offset)
            var ids: [ObjectID] = []
            let statement = try SQLStatement(BoundFetch.union(family), on: database())
            defer { statement.reset() }
            while try statement.step() {
                let name = schema.entities[Int(statement.integer(0))].name
                ids.append(ObjectID(entity: name, number: statement.integer(1)))
            }
            return ids
        }
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

    /// Finds the names of a fetch, for each entity of a family.
    func bind(
        _ name: String,
        _ condition: Condition,
        _ order: [SortKey],
        _ limit: Int?,
        _ offset: Int
    ) throws -> [BoundFetch] {
        if let limit, limit < 0 { throw StoreError(.invalidCondition, "the limit is negative") }
        guard offset >= 0 else { throw StoreError(.invalidCondition, "the offset is negative") }
        let family = try schema.family(name)
            .map { entity in
                let bound = try ConditionBinder(entity: entity, in: self).bind(condition.node)
                let terms = try order.map {
                    (term: try SortTerm.sql(of: $0, in: entity, schema, self), isDescending: $0.isDescending)
                }
                return BoundFetch(
                    entity: entity,
                    condition: bound,
                    order: terms + [(term: Scope(entity).column("_id"), isDescending: false)],
                    limit: limit,
                    offset: offset
                )
            }
        guard family.reduce(0, { $0 + $1.condition.holds.parameters.count }) <= 30_000 else {
            throw StoreError(.limitExceeded, "the condition has more than 30,000 values", entity: name)
        }
        return family
    }
}
