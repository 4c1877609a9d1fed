/// What aggregates of the rows of one table are computed from.
struct AggregatePlan {
    let fetch: BoundFetch
    /// The names of the results: those of the groups, and those of the aggregates.
    let names: [String]
    private(set) var sources: [ValueRow.Source]
    /// The values to group by.
    private(set) var groups: [Expression]
    /// The cells from which the groups' values are read.
    private(set) var shown: [Expression]
    /// The aggregates, each with the value that it is computed from.
    private(set) var results: [(function: Aggregate.Function, value: Expression, kind: ValueKind)]
    /// What the entity declares for each of the results.
    private let subjects: [Subject]
    private let dialect: Dialect

    private init(_ aggregates: [Aggregate], _ groups: [String], of fetch: BoundFetch, in context: StoreContext) throws {
        let entity = fetch.entity
        let terms = ConditionBinder(entity: entity, in: context).terms
        let keys = try groups.map { name in
            var subject = try terms.column(name, of: Scope(entity))
            if subject.kind == .text {
                let filter = fetch.test.filter
                subject.value = try TextColumn.key(name, of: Scope(entity), on: context.database(), where: filter)
            }
            return subject
        }
        let values = try aggregates.map { aggregate -> Subject in
            guard let name = aggregate.name else {
                return Subject(value: .sql("1"), kind: .integer, entity: entity.name)
            }
            let subject = try terms.bind(.path(Term.Path([name])))
            _ = try aggregate.function.kind(of: subject)
            return subject
        }
        self.fetch = fetch
        subjects = keys + values
        results = zip(aggregates, values).map { (function: $0.function, value: $1.value, kind: $1.kind) }
        dialect = context.store.engine.dialect
        shown = keys.map(\.value)
        // The same number can be written in different ways.
        self.groups = keys.map { $0.kind == .decimal ? DecimalOrder.key($0.value) : $0.value }
        names = groups + aggregates.map(\.label)
        sources =
            try groups.map { try ValueRow.Source($0, of: entity, in: context) }
            + zip(aggregates, values)
            .map { aggregate, value in
                guard let name = aggregate.name, aggregate.function.keepsType else {
                    return aggregate.function != .count && value.kind == .decimal ? .computedDecimal : .computed
                }
                return try ValueRow.Source(name, of: entity, in: context)
            }
    }

    /// The aggregates in SQL of columns with the given prefix, or `nil` if any of them is computed in Swift.
    func sql(_ prefix: String) -> [SQLFragment]? {
        guard fetch.test.isExact, (groups + results.map(\.value)).allSatisfy({ $0.sql != nil }) else { return nil }
        let list = results.enumerated()
            .compactMap { index, result in
                result.function.sql(of: "\(raw: "\"\(prefix)\(index)\"")", result.kind, dialect)
            }
        return list.count == results.count ? list : nil
    }
}

// MARK: - Several tables

/// Entities with the same parent can declare attributes of the same name with different types.
extension AggregatePlan {
    /// Creates the plans for the tables of one or more entities.
    ///
    /// - Throws: `StoreError` if an aggregate cannot be computed, or if the entities declare an attribute with types whose
    ///   values cannot be compared.
    static func plans(
        _ aggregates: [Aggregate],
        _ groups: [String],
        of family: [BoundFetch],
        in context: StoreContext
    ) throws -> [Self] {
        var plans = try family.map { try Self(aggregates, groups, of: $0, in: context) }
        for index in plans.first?.subjects.indices ?? 0..<0 { try combine(&plans, at: index) }
        return plans
    }

    /// Makes the plans agree on the kind of a result.
    private static func combine(_ plans: inout [Self], at index: Int) throws(StoreError) {
        let subjects = plans.map { $0.subjects[index] }
        let first = subjects[0]
        // Objects of different entities can have the same number.
        guard first.name != "_id", !subjects.allSatisfy({ $0.hasType(of: first) }) else { return }
        var kind = first.kind
        // Values of any types can be counted.
        for other in subjects where !plans[0].isCount(index) {
            guard let common = kind.common(with: other.kind) else {
                let difference = "it is \(other.kind.words), but \(first.kind.words) in “\(first.entity)”"
                throw other.failure(.unsupported, "\(difference); aggregate the objects of each entity separately")
            }
            kind = common
        }
        let hasOneCellType = Set(subjects.map(\.kind.typeName)).count == 1
        for plan in plans.indices { plans[plan].read(index, as: kind, hasOneCellType) }
    }

    private func isCount(_ index: Int) -> Bool {
        index >= groups.count && results[index - groups.count].function == .count
    }

    /// Reads a result as a value of any of several types.
    private mutating func read(_ index: Int, as kind: ValueKind, _ hasOneCellType: Bool) {
        sources[index] = .computed
        if index < groups.count {
            guard !hasOneCellType else { return }
            groups[index] = Self.number(groups[index])
            shown[index] = groups[index]
        } else {
            let index = index - groups.count
            results[index].kind = kind
            // In PostgreSQL, a column of several tables has one type, to which numbers would be rounded.
            guard !hasOneCellType, !dialect.has(.dynamicTypes) else { return }
            results[index].value = .swift([results[index].value]) { try $0[0] }
        }
    }

    /// Returns a number in the same form as all others that are equal to it, so that they are in the same group.
    private static func number(_ value: Expression) -> Expression {
        .swift([value]) { arguments in
            let cell = try arguments[0]
            guard case .real(let number) = cell, let whole = Int64(exactly: number) else { return cell }
            return .integer(whole)
        }
    }
}

extension Subject {
    /// Whether the values of both have the same type.
    fileprivate func hasType(of other: Self) -> Bool {
        kind == other.kind && attribute?.description.type == other.attribute?.description.type
    }
}
