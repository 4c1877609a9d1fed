internal import Transformable

/// A fetch request with resolved names and rendered SQL.
struct BoundFetch {
    let entity: StoredEntity
    let condition: BoundCondition
    /// The terms to sort by.
    ///
    /// The last term is the number.
    let order: [(term: SQLFragment, isDescending: Bool)]
    let limit: Int?
    let offset: Int

    /// Returns what follows a term to sort by.
    ///
    /// NULL is less than any value, which is not the default of all engines.
    private static func direction(_ isDescending: Bool) -> String {
        isDescending ? " DESC NULLS LAST" : " NULLS FIRST"
    }

    private var cut: SQLFragment {
        guard limit != nil || offset > 0 else { return "" }
        return " LIMIT \(.integer(Int64(limit ?? .max))) OFFSET \(.integer(Int64(offset)))"
    }

    /// Returns a statement over the entity's table.
    func select(_ head: String) -> SQLFragment {
        let terms: [SQLFragment] = order.map { "\($0.term)\(raw: Self.direction($0.isDescending))" }
        return "\(raw: head) WHERE \(condition.holds) ORDER BY \(.list(terms))\(cut)"
    }

    var count: SQLFragment {
        "SELECT count(*) FROM \(raw: entity.table) WHERE \(condition.holds)"
    }

    /// Returns a statement over the tables of a family.
    ///
    /// It selects the position of the entity, the number, the sort terms, and further columns.
    ///
    /// - Parameters:
    ///   - family: The tables.
    ///   - more: The names of the further columns.
    ///   - check: Returns one more column, which depends on the entity.
    /// - Returns: The statement.
    static func union(
        _ family: [Self],
        selecting more: [String] = [],
        _ check: ((StoredEntity) -> String)? = nil
    ) -> SQLFragment {
        guard let first = family.first else { return "SELECT 0, 0 WHERE FALSE" }
        let parts: [SQLFragment] = family.map { fetch in
            let columns: [SQLFragment] = fetch.order.enumerated().map { "\($1.term) AS \"sort\(raw: "\($0)")\"" }
            let head = ["\(fetch.entity.index) AS \"place\"", "\"_id\" AS \"number\""]
            let rest = more + [check?(fetch.entity)].compactMap(\.self)
            let list = head.map { SQLFragment($0) } + columns + rest.map { SQLFragment($0) }
            return "SELECT \(.list(list)) FROM \(raw: fetch.entity.table) WHERE \(fetch.condition.holds)"
        }
        // With several tables, the number identifies an object only along with its entity.
        let terms = first.order.dropLast().enumerated().map { "\"sort\($0)\"\(direction($1.isDescending))" }
        let order = (terms + (family.count > 1 ? ["\"place\""] : []) + ["\"number\""]).joined(separator: ", ")
        return "\(.list(parts, by: " UNION ALL ")) ORDER BY \(raw: order)\(first.cut)"
    }
}

extension StoreContext {
    /// Fetches objects.
    ///
    /// - Parameters:
    ///   - entity: The entity's name.
    ///   - condition: The condition that the objects must satisfy.
    ///   - order: The keys to sort by, most important first. Objects with equal keys are in insertion order.
    ///   - limit: The maximum number of objects.
    ///   - offset: The number of objects to skip.
    /// - Returns: The objects.
    /// - Throws: `StoreError` if a name is unknown, or if the condition or sort order is invalid.
    public func fetch(
        _ entity: String,
        where condition: Condition = .all,
        sortedBy order: [SortKey] = [],
        limit: Int? = nil,
        offset: Int = 0
    ) throws -> [ManagedObject] {
        var objects: [ManagedObject] = []
        try withPending {
            try forEachStored(bind(entity, condition, order, limit, offset)) { objects.append($0) }
        }
        return objects
    }

    /// Fetches the first object.
    ///
    /// - Parameters:
    ///   - entity: The entity's name.
    ///   - condition: The condition that the object must satisfy.
    ///   - order: The keys to sort by, most important first.
    /// - Returns: The object, or `nil` if there is none.
    /// - Throws: `StoreError` if a name is unknown, or if the condition or sort order is invalid.
    public func first(
        _ entity: String,
        where condition: Condition = .all,
        sortedBy order: [SortKey] = []
    ) throws -> ManagedObject? {
        try fetch(entity, where: condition, sortedBy: order, limit: 1).first
    }

    /// Calls a closure with each object.
    ///
    /// In a block that reads, memory use is constant unless you keep the objects. In a block that writes, it also includes
    /// a list of the objects' numbers, because the closure may insert, change, or delete objects. It is called with the
    /// objects that satisfied the condition in the beginning and have not been deleted since.
    ///
    /// - Parameters:
    ///   - entity: The entity's name.
    ///   - condition: The condition that the objects must satisfy.
    ///   - order: The keys to sort by, most important first. Objects with equal keys are in insertion order.
    ///   - limit: The maximum number of objects.
    ///   - offset: The number of objects to skip.
    ///   - body: A closure that is called with each object.
    /// - Throws: `StoreError` if a name is unknown, or if the condition or sort order is invalid, and errors thrown
    ///   by the closure.
    public func forEach(
        _ entity: String,
        where condition: Condition = .all,
        sortedBy order: [SortKey] = [],
        limit: Int? = nil,
        offset: Int = 0,
        _ body: (ManagedObject) throws -> Void
    ) throws {
        guard try !laysPending() else {
            // The closure may change objects or save, which would fail while a statement is running.
            return try fetch(entity, where: condition, sortedBy: order, limit: limit, offset: offset).forEach(body)
        }
        let family = try bind(entity, condition, order, limit, offset)
        guard isWritable else { return try forEachStored(family, body) }
        // A running statement would also return what the closure writes, perhaps without an end.
        let list = try list(family)
        for start in stride(from: 0, to: list.count, by: Self.batch) {
            let objects = try stored(list[start..<min(start + Self.batch, list.count)])
            for object in objects where !object.isDeleted {
                try requireUncancelled()
                try body(object)
            }
        }
    }

    /// Whether there may be changes that only the context knows about while it fetches.
    private var fetchesPending: Bool { isEditing || phase == .preparing || phase == .writing }

    /// Runs a fetch that sees pending changes.
    ///
    /// In a block, they are written first if that is possible. Otherwise, they are laid over the tables.
    func withPending<Result>(_ body: () throws -> Result) throws -> Result {
        try laysPending() ? PendingView.run(self, body) : body()
    }

    /// Returns a Boolean value that indicates whether a fetch lays pending changes over the tables.
    ///
    /// Otherwise, they are written now.
    ///
    /// Changes that currently violate uniqueness stay pending, because the rest of the block may resolve the violation.
    private func laysPending() throws -> Bool {
        guard !fetchesPending else { return true }
        return try !succeedsIfUnique(flush)
    }

    private func forEachStored(_ family: [BoundFetch], _ body: (ManagedObject) throws -> Void) throws {
        guard family.count == 1, let fetch = family.first else { return try forEach(of: family, body) }
        let entity = fetch.entity
        let head = connection.isOverlaid(entity) ? entity.selectOverlaid : entity.selectList
        let statement = try database().statement(fetch.select(head))
        defer { statement.reset() }
        while try statement.step() {
            try body(object(at: statement, entity))
        }
    }

    /// Calls a closure with the objects of several entities, sorted together.
    private func forEach(of family: [BoundFetch], _ body: (ManagedObject) throws -> Void) throws {
        let statement = try database().statement(BoundFetch.union(family))
        defer { statement.reset() }
        var list: [(place: Int, number: Int64)] = []
        while try statement.step() {
            list.append((Int(statement.integer(0)), statement.integer(1)))
            guard list.count == Self.batch else { continue }
            try objects(list).forEach(body)
            list.removeAll(keepingCapacity: true)
        }
        try objects(list).forEach(body)
    }

    /// Returns the listed objects, many of which are read with each statement.
    private func objects(_ list: [(place: Int, number: Int64)]) throws -> [ManagedObject] {
        guard connection.overlaidTables?.isEmpty != false else {
            // Pending objects have no rows.
            return try list.map { try object(ObjectID(entity: schema.entities[$0.place].name, number: $0.number)) }
        }
        return try stored(list[...])
    }

    /// Returns the positions of the entities and the numbers of the objects that a fetch finds.
    private func list(_ family: [BoundFetch]) throws -> [(place: Int, number: Int64)] {
        let statement = try database().statement(BoundFetch.union(family))
        defer { statement.reset() }
        var list: [(place: Int, number: Int64)] = []
        while try statement.step() {
            list.append((Int(statement.integer(0)), statement.integer(1)))
        }
        return list
    }

    /// Reads the listed objects that still exist, many with each statement.
    private func stored(_ list: ArraySlice<(place: Int, number: Int64)>) throws -> [ManagedObject] {
        var objects: [Int: [Int64: ManagedObject]] = [:]
        for (place, entries) in Dictionary(grouping: list, by: \.place) {
            let entity = schema.entities[place]
            // A hook may run the same statement.
            let statement = try database().statement(entity.selectMany(entries.count), cached: false)
            try statement.bind(entries.map { .integer($0.number) })
            defer { statement.reset() }
            while try statement.step() {
                let object = try object(at: statement, entity)
                objects[place, default: [:]][object.number] = object
            }
        }
        return list.compactMap { objects[$0.place]?[$0.number] }
    }

    /// Counts objects.
    ///
    /// - Parameters:
    ///   - entity: The entity's name.
    ///   - condition: The condition that the objects must satisfy.
    /// - Returns: The number of objects.
    /// - Throws: `StoreError` if a name is unknown, or if the condition is invalid.
    public func count(_ entity: String, where condition: Condition = .all) throws -> Int {
        try withPending {
            try bind(entity, condition, [], nil, 0)
                .reduce(0) { count, fetch in
                    let statement = try database().statement(fetch.count)
                    defer { statement.reset() }
                    return try statement.step() ? count + Int(statement.integer(0)) : count
                }
        }
    }

    /// Returns a Boolean value that indicates whether there is an object that satisfies a condition.
    ///
    /// - Parameters:
    ///   - entity: The entity's name.
    ///   - condition: The condition that the object must satisfy.
    /// - Returns: Whether there is at least one object.
    /// - Throws: `StoreError` if a name is unknown, or if the condition is invalid.
    public func exists(_ entity: String, where condition: Condition = .all) throws -> Bool {
        try !ids(entity, where: condition, limit: 1).isEmpty
    }

    /// Fetches the ids of objects, without reading the objects themselves if possible.
    ///
    /// - Parameters:
    ///   - entity: The entity's name.
    ///   - condition: The condition that the objects must satisfy.
    ///   - order: The keys to sort by, most important first. Objects with equal keys are in insertion order.
    ///   - limit: The maximum number of objects.
    ///   - offset: The number of objects to skip.
    /// - Returns: The ids.
    /// - Throws: `StoreError` if a name is unknown, or if the condition or sort order is invalid.
    public func ids(
        _ entity: String,
        where condition: Condition = .all,
        sortedBy order: [SortKey] = [],
        limit: Int? = nil,
        offset: Int = 0
    ) throws -> [ObjectID] {
        try withPending {
            try list(bind(entity, condition, order, limit, offset))
                .map { ObjectID(entity: schema.entities[$0.place].name, number: $0.number) }
        }
    }

    /// Deletes all objects that satisfy a condition.
    ///
    /// - Parameters:
    ///   - entity: The entity's name.
    ///   - condition: The condition that the objects must satisfy.
    /// - Returns: The number of deleted objects.
    /// - Throws: `StoreError` if a name is unknown, or if the condition is invalid.
    @discardableResult
    public func delete(_ entity: String, where condition: Condition) throws -> Int {
        try requireWritable()
        let objects = try fetch(entity, where: condition)
        for object in objects {
            try delete(object)
        }
        return objects.count
    }

    /// Resolves the names of a fetch, for each entity of a family.
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
