internal import Transformable

extension StoreContext {
    /// Reads selected attributes of objects, without creating objects.
    ///
    /// - Parameters:
    ///   - entity: The entity's name.
    ///   - names: The attributes, which may be transformed, and projections.
    ///   - condition: The condition that the objects must satisfy.
    ///   - order: The keys to sort by, most important first. Objects with equal keys are in insertion order.
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
                (fetch.entity.index, try names.map { try ValueRow.Source($0, of: fetch.entity, in: schema) })
            }
        )
        let check = family.contains { $0.entity.rowSeal != nil } ? rowCheck : nil
        let union = BoundFetch.union(family, selecting: names.map(SQL.quoted), check)
        let statement = try database().statement(union)
        defer { statement.reset() }
        var rows: [ValueRow] = []
        while try statement.step() {
            let entity = schema.entities[Int(statement.integer(0))]
            rows.append(
                ValueRow(
                    id: ObjectID(entity: entity.name, number: statement.integer(1)),
                    names: names,
                    sources: sources[entity.index] ?? [],
                    row: statement.packedRow(from: 2 + (family.first?.order.count ?? 0), count: names.count)
                )
            )
        }
        return rows
    }

    /// Returns a column that checks the tag of an entity's row.
    private func rowCheck(_ entity: StoredEntity) -> String {
        guard let seal = entity.rowSeal else { return "1" }
        return connection.isOverlaid(entity) ? RowSeal.column : seal.check
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
        guard let first = family.first else { return [] }
        let plan = try AggregatePlan(aggregates, groups, of: first.entity, in: self)
        let tables = try family.map { try AggregatePlan(aggregates, groups, of: $0.entity, in: self).select($0) }
        let statement = try database().statement(plan.sql(over: tables))
        defer { statement.reset() }
        var rows: [ValueRow] = []
        while try statement.step() {
            let row = statement.packedRow(from: 0, count: plan.names.count)
            rows.append(ValueRow(id: nil, names: plan.names, sources: plan.sources, row: row))
        }
        return rows
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
    ///   - order: The keys to sort by, most important first. Objects with equal keys are in insertion order.
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
    /// - Parameters:
    ///   - entity: The entity's name.
    ///   - values: The values by attribute. They must be those of a unique attribute or of a unique group of the model.
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
        let isUnique = try names.contains { try stored.attribute($0).description.isUnique }
        guard isUnique || stored.description.uniqueness.contains(where: { names.isSuperset(of: $0) }) else {
            let list = names.sorted().joined(separator: " and ")
            throw StoreError(.misuse, "the model allows several objects with the same \(list)", entity: entity)
        }
        let condition = values.reduce(Condition.all) { $0 && Field($1.key) == $1.value }
        if let object = try first(entity, where: condition) { return (object, false) }
        let object = try insert(entity)
        for (name, value) in values {
            try object.setValue(any: value, for: name)
        }
        return (object, true)
    }
}

/// The columns that aggregates are computed from.
private struct AggregatePlan {
    let names: [String]
    let sources: [ValueRow.Source]
    private let groups: [Subject]
    private let results: [(function: Aggregate.Function, subject: Subject?)]

    init(
        _ aggregates: [Aggregate],
        _ groups: [String],
        of entity: StoredEntity,
        in context: StoreContext
    ) throws {
        let schema = context.schema
        let terms = ConditionBinder(entity: entity, in: context).terms
        self.groups = try groups.map { name in
            var subject = try terms.column(name, of: Scope(entity))
            if subject.kind == .text { subject.sql = try TextColumn.key(name, of: Scope(entity), in: context) }
            return subject
        }
        results = try aggregates.map { aggregate in
            (aggregate.function, try aggregate.name.map { try terms.bind(.path(Term.Path([$0]))) })
        }
        names = groups + aggregates.map(\.label)
        sources =
            try groups.map { try ValueRow.Source($0, of: entity, in: schema) }
            + zip(aggregates, results)
            .map { aggregate, result in
                let isDecimal = aggregate.function != .count && result.subject?.kind == .decimal
                guard let name = aggregate.name, aggregate.function.keepsType else {
                    return isDecimal ? .computedDecimal : .computed
                }
                return try ValueRow.Source(name, of: entity, in: schema)
            }
    }

    /// Returns a statement that selects the cells of one table.
    func select(_ fetch: BoundFetch) -> SQLFragment {
        let groups: [SQLFragment] = groups.enumerated()
            .map { index, group in
                // The same number can be written in different ways.
                let isDecimal = group.kind == .decimal
                return "\(isDecimal ? DecimalOrder.key(group.sql) : group.sql) AS \(raw: "\"group\(index)\"")"
            }
        let values: [SQLFragment] = results.enumerated()
            .map { index, result in
                let value = result.subject?.sql ?? "1"
                return "\(value) AS \(raw: "\"value\(index)\"")"
            }
        let columns = groups + values
        let list: SQLFragment = columns.isEmpty ? "1" : .list(columns)
        return """
            SELECT \(list) FROM \(raw: fetch.entity.table) \
            WHERE \(fetch.condition.holds)
            """
    }

    /// Returns a statement over the cells of all tables.
    func sql(over tables: [SQLFragment]) throws -> SQLFragment {
        let keys = groups.indices.map { "\"group\($0)\"" }.joined(separator: ", ")
        let values = try results.enumerated()
            .map { index, result in
                var subject = result.subject ?? Subject(sql: "", kind: .integer, entity: "")
                subject.sql = "\(raw: "\"value\(index)\"")"
                return try result.function.sql(of: subject).sql
            }
        let columns =
            groups.enumerated()
            .map { index, group in
                let column: SQLFragment = "\(raw: "\"group\(index)\"")"
                return group.kind == .decimal ? DecimalOrder.text(column) : column
            } + values
        let grouping = groups.isEmpty ? "" : " GROUP BY \(keys) ORDER BY \(keys)"
        return "SELECT \(.list(columns)) FROM (\(.list(tables, by: " UNION ALL ")))\(raw: grouping)"
    }
}

extension Aggregate {
    /// The name of the result in a row.
    var label: String { "\(function.rawValue)(\(name ?? ""))" }
}

extension Aggregate.Function {
    /// Whether the result is one of the attribute's values.
    var keepsType: Bool { self == .min || self == .max }
}
