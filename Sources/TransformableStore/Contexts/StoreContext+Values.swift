internal import Transformable

extension StoreContext {
    /// Reads selected attributes of objects, without creating objects.
    ///
    /// - Parameters:
    ///   - entity: The entity's name.
    ///   - names: The attributes, which may be transformed, and projections.
    ///   - condition: The condition that the objects must satisfy.
    ///   - order: The keys to sort by, most important first. Objects that compare equal are in insertion order.
    ///   - limit: The maximum number of objects.
    ///   - offset: The number of objects to skip.
    /// - Returns: A row for each object.
    /// - Throws: `StoreError` if a name is unknown, or if the condition or sort order is invalid.
    public func values(
        _ entity: String,
        of names: [String],
        where condition: Condition = .all,
        sortedBy order: [SortKey] = [],
        limit: Int? = nil,
        offset: Int = 0
    ) throws -> [ValueRow] {
        try withPending { try values(names, bind(entity, condition, order, limit, offset)) }
    }

    private func values(_ names: [String], _ family: [BoundFetch]) throws -> [ValueRow] {
        let sources = try Dictionary(
            uniqueKeysWithValues: family.map { fetch in
                (fetch.entity.index, try names.map { try ValueRow.Source($0, of: fetch.entity, in: self) })
            }
        )
        // Values may be bound to the tenants of their objects.
        let showsTenants = scope == .everything && family.allSatisfy(\.entity.belongsToTenant)
        let columns = names + (showsTenants ? [TenantColumn.name.name] : [])
        let check = rowCheck(of: family, besides: ["_id"] + columns)
        var rows: [ValueRow] = []
        try FetchReader(family)
            .forEach(selecting: columns.map { SQL.quoted($0.composed) }, checking: check, on: database()) { found in
                let id = ObjectID(entity: schema.entities[found.place].name, number: found.number)
                var row = ValueRow(id: id, names: names, sources: sources[found.place] ?? [], row: found.cells)
                if showsTenants { row.tenant = found.cells.integer(names.count) }
                rows.append(row)
            }
        return rows
    }

    /// Returns a function that provides the column for checking the tag of an entity's row, or `nil` if no rows have
    /// tags.
    ///
    /// - Parameters:
    ///   - family: The fetches of the rows.
    ///   - names: The names of the columns that are read.
    /// - Returns: The function.
    func rowCheck(of family: [BoundFetch], besides names: [String]) -> ((StoredEntity) -> String)? {
        guard family.contains(where: { $0.entity.rowSeal != nil }) else { return nil }
        return { entity in
            guard let seal = entity.rowSeal else {
                return self.store.engine.dialect.has(.rowTags) ? "1" : RowSeal.exemption
            }
            return self.connection.isOverlaid(entity) ? RowSeal.column.description : seal.check(besides: names)
        }
    }

    /// Computes aggregates over objects, optionally grouped.
    ///
    /// ```swift
    /// let wards = try context.aggregate("Patient", [.count, .average("age")], groupedBy: ["ward"])
    /// let mean = try wards[0].value(.average("age"), as: Double?.self)
    /// ```
    ///
    /// Canonically equivalent text counts as equal, and is returned in Unicode's composed form. For a transformed
    /// attribute, only its projections can be used.
    ///
    /// Children of the entity can declare attributes of the same name with different types. If all of them are numbers,
    /// they are compared and added up as numbers. Otherwise, their values can only be counted.
    ///
    /// - Parameters:
    ///   - entity: The entity's name.
    ///   - aggregates: The aggregates to compute.
    ///   - condition: The condition that the objects must satisfy.
    ///   - groups: The plain attributes and projections to group by.
    /// - Returns: A row for each group, sorted by the groups' values, or a single row if there are no groups.
    /// - Throws: `StoreError` if a name is unknown, or if the condition or an aggregate is invalid, or with
    ///   the code `arithmetic-failure` if a sum does not fit its type or would not be exact.
    public func aggregate(
        _ entity: String,
        _ aggregates: [Aggregate],
        where condition: Condition = .all,
        groupedBy groups: [String] = []
    ) throws -> [ValueRow] {
        try withPending { try aggregate(aggregates, groups, bind(entity, condition, [], nil, 0)) }
    }

    private func aggregate(
        _ aggregates: [Aggregate],
        _ groups: [String],
        _ family: [BoundFetch]
    ) throws -> [ValueRow] {
        let plans = try AggregatePlan.plans(aggregates, groups, of: family, in: self)
        guard !plans.isEmpty else { return try Self.valuesOfNoObjects(aggregates, groups) }
        return try AggregateReader(plans).rows(on: database())
            .map { ValueRow(id: nil, names: plans[0].names, sources: plans[0].sources, row: $0) }
    }

    /// Returns the aggregates over an abstract entity without children, which has no tables.
    private static func valuesOfNoObjects(_ aggregates: [Aggregate], _ groups: [String]) throws -> [ValueRow] {
        guard groups.isEmpty else { return [] }
        let cells = try aggregates.map { try Summary($0.function, .integer).result() }
        let sources = aggregates.map { _ in ValueRow.Source.computed }
        return [ValueRow(id: nil, names: aggregates.map(\.label), sources: sources, row: PackedRow(cells))]
    }

    /// Calls a closure with batches of objects.
    ///
    /// Only one batch is in memory at a time. In a block that writes, the closure may insert, change, or delete objects,
    /// as with ``forEach(_:where:sortedBy:limit:offset:_:)``.
    ///
    /// - Parameters:
    ///   - entity: The entity's name.
    ///   - size: The maximum number of objects in a batch.
    ///   - condition: The condition that the objects must satisfy.
    ///   - order: The keys to sort by, most important first. Objects that compare equal are in insertion order.
    ///   - body: A closure that is called with each batch.
    /// - Throws: `StoreError` if a name is unknown, or if the condition or sort order is invalid, and errors thrown
    ///   by the closure.
    public func forEachBatch(
        _ entity: String,
        of size: Int,
        where condition: Condition = .all,
        sortedBy order: [SortKey] = [],
        _ body: ([ManagedObject]) throws -> Void
    ) throws {
        guard size > 0 else { throw StoreError(.invalidCondition, "the size of a batch must be at least 1") }
        var batch: [ManagedObject] = []
        try forEach(entity, where: condition, sortedBy: order) { object in
            batch.append(object)
            guard batch.count == size else { return }
            try body(batch)
            batch.removeAll(keepingCapacity: true)
        }
        if !batch.isEmpty { try body(batch) }
    }

    /// Returns the object that has the given values, or inserts one.
    ///
    /// Objects of the entity's children are not found, because their values are unique separately.
    ///
    /// - Parameters:
    ///   - entity: The entity's name.
    ///   - values: The values by attribute. They must be the values of a unique attribute or of a unique group of the
    ///     model.
    /// - Returns: The object, and whether it is new.
    /// - Throws: `StoreError` with the code `misuse` if the model does not require the values to be unique,
    ///   or with the code `unknown-attribute`, `wrong-type`, or `read-only`.
    public func findOrInsert(
        _ entity: String,
        _ values: [String: any Sendable]
    ) throws -> (object: ManagedObject, isNew: Bool) {
        try requireWritable()
        let stored = try schema.entity(entity)
        let names = Set(values.keys)
        for name in names.sorted() { _ = try stored.attribute(name) }
        guard stored.uniqueLists.contains(where: { names.isSuperset(of: $0) }) else {
            let list = names.sorted().joined(separator: " and ")
            throw StoreError(.misuse, "the model allows several objects with the same \(list)", entity: entity)
        }
        let condition = values.reduce(Condition.all) { $0 && Field($1.key) == $1.value }
        if let object = try fetch(only: stored, where: condition).first { return (object, false) }
        saving.noteMissedObject()
        return (try insert(entity, with: values), true)
    }
}
