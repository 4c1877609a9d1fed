internal import GRDB
internal import Transformable

extension StoreContext {
    /// Reads chosen attributes of objects, without making objects of them.
    ///
    /// - Parameters:
    ///   - entity: The entity's name.
    ///   - names: The attributes, transformed ones included, and projections.
    ///   - condition: Which objects.
    ///   - order: What to sort by, the most important first; objects that agree come in the order of insertion.
    ///   - limit: How many at most.
    ///   - offset: How many to leave out at the beginning.
    /// - Returns: A row for each object.
    /// - Throws: ``StoreError``: an unknown name, a condition or an order that cannot be had.
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
        let union = BoundFetch.union(family, selecting: names.map(SQL.quoted))
        let statement = try SQLStatement(union, on: database())
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

    /// Says what objects come to, all together or in groups.
    ///
    /// ```swift
    /// let wards = try context.aggregate("Patient", [.count, .average("age")], groupedBy: ["ward"])
    /// let mean = try wards[0].value(.average("age"), as: Double?.self)
    /// ```
    ///
    /// Text that is canonically equivalent is the same, and given in Unicode’s composed form. Of a transformed attribute only the projections can be had.
    ///
    /// - Parameters:
    ///   - entity: The entity's name.
    ///   - aggregates: What to compute.
    ///   - condition: Which objects.
    ///   - groups: The plain attributes and projections whose values are the same in a group.
    /// - Returns: A row for each group, in the order of the groups' values; a single one if there are no groups.
    /// - Throws: ``StoreError``: an unknown name, a condition or an aggregate that cannot be had, or
    ///   ``StoreError/Code/arithmeticFailure`` for a sum that does not fit, or of decimal numbers would not be exact.
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
        let statement = try SQLStatement(plan.sql(over: tables), on: database())
        defer { statement.reset() }
        var rows: [ValueRow] = []
        while try statement.step() {
            let row = statement.packedRow(from: 0, count: plan.names.count)
            rows.append(ValueRow(id: nil, names: plan.names, sources: plan.sources, row: row))
        }
        return rows
    }

    /// Goes through objects in batches, which are kept in memory one at a time.
    ///
    /// - Parameters:
    ///   - entity: The entity's name.
    ///   - size: How many objects a batch has at most.
    ///   - condition: Which objects.
    ///   - order: What to sort by, the most important first; objects that agree come in the order of insertion.
    ///   - body: Takes each batch.
    /// - Throws: ``StoreError``: an unknown name, a condition or an order that cannot be had; and what the body
    ///   throws.
    public func forEachBatch(
        _ entity: String,
        of size: Int,
        where condition: Condition = .all,
        sortedBy order: [SortKey] = [],
        _ body: ([ManagedObject]) throws -> Void
    ) throws {
        guard size > 0 else { throw StoreError(.invalidCondition, "a batch has at least one object") }
        var batch: [ManagedObject] = []
        try forEach(entity, where: condition, sortedBy: order) { object in
            batch.append(object)
            guard batch.count == size else { return }
            try body(batch)
            batch.removeAll(keepingCapacity: true)
        }
        if !batch.isEmpty { try body(batch) }
    }

    /// Finds the object that has some values, or makes one that has them.
    ///
    /// - Parameters:
    ///   - entity: The entity's name.
    ///   - values: Values by attribute. Together they occur once: a unique attribute, or a set that the model says is.
    /// - Returns: The object, and whether it is new.
    /// - Throws: ``StoreError``: ``StoreError/Code/misuse`` if the model lets the values occur again,
    ///   ``StoreError/Code/unknownAttribute``, ``StoreError/Code/wrongType`` or ``StoreError/Code/readOnly``.
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
            throw StoreError(.misuse, "the model lets several objects have the same \(list)", entity: entity)
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

/// The columns that aggregates are made of.
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

    /// The cells of one table.
    func select(_ fetch: BoundFetch) -> SQLFragment {
        let groups: [SQLFragment] = groups.enumerated()
            .map { index, group in
                // Numbers that are written differently may be the same.
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

    /// The statement over the cells of all tables.
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
    /// What the result is called in a row.
    var label: String { "\(function.rawValue)(\(name ?? ""))" }
}

extension Aggregate.Function {
    /// Whether the result is one of the attribute's values.
    var keepsType: Bool { self == .min || self == .max }
}
