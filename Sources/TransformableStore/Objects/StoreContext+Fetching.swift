internal import GRDB
internal import Transformable

/// A fetch with its SQL made and its names found.
struct BoundFetch {
    let entity: StoredEntity
    let condition: BoundCondition
    /// What to sort by, the number last.
    let order: [(column: String, isDescending: Bool)]
    let limit: Int?
    let offset: Int

    var isCut: Bool { limit != nil || offset > 0 }

    private var isCutBySQL: Bool { condition.isExact && isCut }

    private var cut: SQLFragment {
        guard isCutBySQL else { return SQLFragment("") }
        return SQLFragment(" LIMIT ? OFFSET ?", [.integer(Int64(limit ?? -1)), .integer(Int64(offset))])
    }

    /// A statement over the entity's table.
    ///
    /// Where values have to be looked at, it is they who count, so the statement is not cut.
    func select(_ head: String) -> SQLFragment {
        let condition = condition.sql() ?? .always
        let terms = order.map { "\(SQL.quoted($0.column))\($0.isDescending ? " DESC" : "")" }
        return SQLFragment(
            "\(head) WHERE \(condition.text) ORDER BY \(terms.joined(separator: ", "))\(cut.text)",
            condition.values + cut.values
        )
    }

    var count: SQLFragment {
        let condition = condition.sql() ?? .always
        return SQLFragment("SELECT count(*) FROM \(entity.table) WHERE \(condition.text)", condition.values)
    }

    /// A statement over the tables of a family: places of entities, and numbers.
    static func union(_ family: [Self]) -> SQLFragment {
        guard let first = family.first else { return SQLFragment("SELECT 0, 0 WHERE 0") }
        let parts = family.map { fetch in
            let condition = fetch.condition.sql() ?? .always
            let columns = fetch.order.enumerated().map { "\(SQL.quoted($1.column)) AS \"sort\($0)\"" }
            let list = (["\(fetch.entity.index) AS \"place\"", "\"_id\" AS \"number\""] + columns)
                .joined(separator: ", ")
            return SQLFragment("SELECT \(list) FROM \(fetch.entity.table) WHERE \(condition.text)", condition.values)
        }
        // Among several tables the number says nothing until the entity is known.
        let terms = first.order.dropLast().enumerated().map { "\"sort\($0)\"\($1.isDescending ? " DESC" : "")" }
        let order = (terms + (family.count > 1 ? ["\"place\""] : []) + ["\"number\""]).joined(separator: ", ")
        let cut = family.allSatisfy(\.condition.isExact) ? first.cut : SQLFragment("")
        return SQLFragment(
            "\(parts.map(\.text).joined(separator: " UNION ALL ")) ORDER BY \(order)\(cut.text)",
            parts.flatMap(\.values) + cut.values
        )
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
        guard fetchesPending else {
            return try withPending { try forEachStored(bind(entity, condition, order, limit, offset), body) }
        }
        // The body may change or save, which it could not while a statement is under way.
        var objects: [ManagedObject] = []
        try withPending { try forEachStored(bind(entity, condition, order, limit, offset)) { objects.append($0) } }
        try objects.forEach(body)
    }

    /// Whether there may be changes that only the context knows of while it fetches.
    private var fetchesPending: Bool { isEditing || phase == .preparing || phase == .writing }

    /// Runs a fetch that sees what was changed: in a block by writing it first, else by laying it over the tables.
    private func withPending<Result>(_ body: () throws -> Result) throws -> Result {
        if fetchesPending { return try Overlay.run(self, body) }
        try flush()
        return try body()
    }

    private func forEachStored(_ family: [BoundFetch], _ body: (ManagedObject) throws -> Void) throws {
        guard family.count == 1, let fetch = family.first else { return try forEach(of: family, body) }
        let select = fetch.select(fetch.entity.selectList)
        let statement = try SQLStatement(select.text, on: database(), cached: false)
        try statement.bind(select.values)
        defer { statement.reset() }
        guard !fetch.condition.isExact else {
            while try statement.step() {
                try body(object(at: statement, fetch.entity))
            }
            return
        }
        var cut = Cut(limit: fetch.limit, offset: fetch.offset)
        while !cut.isDone, try statement.step() {
            let object = try object(at: statement, fetch.entity)
            guard try fetch.condition.matches(object) == true, cut.takes() else { continue }
            try body(object)
        }
    }

    /// Goes through the objects of several entities, as one order has them.
    private func forEach(of family: [BoundFetch], _ body: (ManagedObject) throws -> Void) throws {
        guard let first = family.first else { return }
        let union = BoundFetch.union(family)
        let statement = try SQLStatement(union.text, on: database(), cached: false)
        try statement.bind(union.values)
        defer { statement.reset() }
        let isExact = family.allSatisfy(\.condition.isExact)
        var cut = isExact ? Cut(limit: nil, offset: 0) : Cut(limit: first.limit, offset: first.offset)
        while !cut.isDone, try statement.step() {
            let entity = schema.entities[Int(statement.integer(0))]
            let object = try object(ObjectID(entity: entity.name, number: statement.integer(1)))
            if !isExact {
                let fetch = family.first { $0.entity === entity }
                guard try fetch?.condition.matches(object) == true else { continue }
            }
            guard cut.takes() else { continue }
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
        try withPending {
            var count = 0
            for fetch in try bind(entity, condition, [], nil, 0) {
                if fetch.condition.isExact {
                    count += Int(try SQLStatement.integer(fetch.count.text, fetch.count.values, on: database()))
                } else {
                    try forEach(of: [fetch]) { _ in count += 1 }
                }
            }
            return count
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
            guard family.allSatisfy(\.condition.isExact) else {
                try forEachStored(family) { ids.append($0.id) }
                return ids
            }
            let union = BoundFetch.union(family)
            let statement = try SQLStatement(union.text, on: database(), cached: false)
            try statement.bind(union.values)
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
    private func bind(
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
                let bound = try ConditionBinder(entity: entity, schema: schema).bind(condition.node)
                let columns = try order.map {
                    (column: try SortColumn.name(of: $0, in: entity), isDescending: $0.isDescending)
                }
                return BoundFetch(
                    entity: entity,
                    condition: bound,
                    order: columns + [(column: "_id", isDescending: false)],
                    limit: limit,
                    offset: offset
                )
            }
        guard family.reduce(0, { $0 + ($1.condition.sql()?.values.count ?? 0) }) <= 30_000 else {
            throw StoreError(.limitExceeded, "the condition has more than 30,000 values", entity: name)
        }
        return family
    }
}

/// Leaves out the first objects of a fetch, and ends it.
private struct Cut {
    private var remaining: Int?
    private var skipping: Int

    init(limit: Int?, offset: Int) {
        remaining = limit
        skipping = offset
    }

    var isDone: Bool { remaining == 0 }

    /// Whether the next object belongs to the fetch.
    mutating func takes() -> Bool {
        guard skipping == 0 else {
            skipping -= 1
            return false
        }
        remaining = remaining.map { $0 - 1 }
        return true
    }
}

/// Which column puts objects in the order of an attribute.
enum SortColumn {
    static func name(of key: SortKey, in entity: StoredEntity) throws(StoreError) -> String {
        if key.name == "_id" { return key.name }
        if let part = entity.partName(ofPath: key.name) { return try entity.attribute(part).name }
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
        case .data where attribute.isExternal: throw refusal("its values may lie in files of their own", attribute)
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
