internal import Foundation
internal import Transformable

/// Comparisons of a transformed attribute.
///
/// A projection narrows the rows down, and the decoded value decides.
struct TransformedComparison {
    /// The largest number of text variants for which projections are computed.
    ///
    /// If there are more, all objects are examined.
    private static let mostVariants = 1024

    private let scope: Scope
    private let attribute: StoredAttribute
    private let store: StoreContext
    /// The store and the entity.
    private let context: TransformContext

    init(scope: Scope, attribute: StoredAttribute, in store: StoreContext) {
        self.scope = scope
        self.attribute = attribute
        self.store = store
        context = store.place(in: scope.entity)
    }

    private var sql: SQLFragment { scope.column(attribute.name) }

    func bind(_ comparison: Condition.Comparison, _ options: TextOptions) throws -> BoundCondition {
        if !comparison.isNull { try store.requireOneTenant(attribute, of: scope.entity) }
        if let (test, operand) = comparison.textTest { return try text(test, operand, options) }
        guard options.isEmpty else { return try folded(comparison, options) }
        return switch comparison {
        case .isNull: isNull
        case .equal(let operand): try equal(operand)
        // Null, which may be in the list, is compared separately.
        case .within(let operands): try within(operands.compactMap(value))
        case .less(let operand): try ordered(operand) { $0 == .orderedAscending }
        case .lessOrEqual(let operand): try ordered(operand) { $0 != .orderedDescending }
        case .greater(let operand): try ordered(operand) { $0 == .orderedDescending }
        case .greaterOrEqual(let operand): try ordered(operand) { $0 != .orderedAscending }
        case .between(let least, let most):
            .and([try bind(.greaterOrEqual(least), []), try bind(.lessOrEqual(most), [])])
        case .contains, .startsWith, .endsWith, .like: .constant(false)
        }
    }

    private var isNull: BoundCondition { .isNull(.sql(sql)) }

    /// Returns a test of the decoded value.
    ///
    /// An object without a value does not satisfy it.
    ///
    /// A value that cannot be decoded satisfies neither a condition nor its negation. Omitting its row would give a
    /// wrong result, so the failure ends the search.
    private func test(
        _ candidates: SQLFragment? = nil,
        _ decide: @escaping (Any) throws -> Bool
    ) -> BoundCondition {
        let (attribute, entity) = (attribute, scope.entity)
        var context = context
        context.attribute = attribute.id
        let check = Expression.swift([.sql(sql), .sql(scope.column("_id"))]) { arguments in
            guard case .integer(let number) = try arguments[1] else { return .integer(0) }
            context.object = number
            let (row, position) = try arguments.cell(0)
            let slot = try store.load(attribute, of: entity, row, position, in: context)
            if let failure = slot.failure { throw failure }
            return .integer(try attribute.any(slot).map(decide) == true ? 1 : 0)
        }
        let narrowed = candidates ?? "\(sql) IS NOT NULL"
        return BoundCondition(
            holds: Criterion(narrowed, check: check),
            fails: Criterion(check).negated
        )
    }

    private func equal(_ operand: Operand) throws -> BoundCondition {
        try value(operand).map { try within([$0]) } ?? isNull
    }

    /// Tests whether the value, which is decoded only once, is one of several.
    private func within(_ values: [Any]) throws -> BoundCondition {
        guard !values.isEmpty else { return .constant(false) }
        let known = values.compactMap { $0 as? any Equatable }
        guard known.count == values.count else { throw refusal("its values cannot be compared") }
        return test(try candidates(values)) { value in known.contains { $0.isEqual(to: value) } }
    }

    /// Returns the condition that a row's projection is one that a value equal to one of several may have, or `nil` if
    /// there is no such projection.
    ///
    /// A projection is computed from the value that is set. A lossy transformer may return a different value, which the
    /// projections do not find. Equal text may have been written with different scalars, and an earlier version may
    /// have projected it as such.
    private func candidates(_ values: [Any]) throws -> SQLFragment? {
        guard attribute.transformer?.traits.contains(.lossy) == false else { return nil }
        let usable = attribute.projections.indices.filter { isUsable(attribute.projections[$0]) }
        let indexed = usable.first { attribute.projections[$0].description.isIndexed }
        guard let index = indexed ?? usable.first else { return nil }
        let column = scope.column(attribute.projections[index].name)
        var place = context
        place.attribute = attribute.id
        guard let forms = forms(of: values) else { return nil }
        let cells = try Subject.refusing { try attribute.candidates(index, forAnyOf: forms, in: place) }
        let known = cells.filter { $0 != .null }
        // An empty list is not SQL, although SQLite takes it.
        let isKnown: SQLFragment =
            known.isEmpty ? "1 = 0" : "\(column) IN (\(.list(known.map { "\($0)" as SQLFragment })))"
        return cells.contains(.null) ? "(\(isKnown) OR \(column) IS NULL)" : isKnown
    }

    /// Returns a Boolean value that indicates whether the cells of a projection are known for a value.
    ///
    /// In the rows of all tenants, equal values have different cells if these depend on the tenant.
    private func isUsable(_ projection: StoredProjection) -> Bool {
        let hasTenants = store.scope == .everything && scope.entity.belongsToTenant
        return projection.findsEqualValues && !(hasTenants && projection.isContextual)
    }

    /// Returns values with all ways to write them if they are text, or `nil` if there are too many.
    private func forms(of values: [Any]) -> [Any]? {
        var forms: [Any] = []
        for value in values {
            let variants = (value as? String).map { CanonicalVariants(of: $0, limit: Self.mostVariants) }
            guard variants?.isComplete != false else { return nil }
            let texts: [Any] = variants?.texts ?? [value]
            forms += texts
        }
        return forms
    }

    private func ordered(
        _ operand: Operand,
        _ accepts: @escaping (ComparisonResult) -> Bool
    ) throws -> BoundCondition {
        guard let value = try value(operand) else {
            throw StoreError(
                .invalidCondition,
                "null has no order; compare it with “==” or “!=”",
                entity: scope.entity.name,
                attribute: attribute.name
            )
        }
        guard let comparable = value as? any Comparable else { throw refusal("its values have no order") }
        return test { comparable.compared(with: $0).map(accepts) ?? false }
    }

    // MARK: - Text

    private func text(_ test: TextTest, _ operand: Operand, _ options: TextOptions) throws -> BoundCondition {
        guard attribute.valueType == String.self, let text = try value(operand) as? String else {
            throw refusal("only text has parts and patterns")
        }
        if test == .like {
            let subject = Subject(value: .sql(sql), kind: .text, name: attribute.name, entity: scope.entity.name)
            try LikePattern.check(text, of: subject)
        }
        let matches = test.matcher(text.composed, options)
        return self.test { ($0 as? String).map(matches) ?? false }
    }

    /// Compares text, ignoring the differences that the options name.
    ///
    /// No projection is used.
    private func folded(_ comparison: Condition.Comparison, _ options: TextOptions) throws -> BoundCondition {
        guard attribute.valueType == String.self else { throw refusal("only text has case and accents") }
        switch comparison {
        case .isNull: return isNull
        case .equal(let operand):
            guard let text = try value(operand) as? String else { return isNull }
            let folded = options.folded(text)
            return test { ($0 as? String).map { options.folded($0).utf8.elementsEqual(folded.utf8) } ?? false }
        case .within(let operands): return .or(try operands.map { try bind(.equal($0), options) })
        default: throw refusal("text can be ordered only if case and accents are not ignored")
        }
    }

    // MARK: - Operands

    /// Returns the operand as a value of the attribute, or `nil` for null.
    func value(_ operand: Operand) throws -> Any? {
        try Subject.refusing { try converted(operand) }
    }

    private func converted(_ operand: Operand) throws -> Any? {
        let value: Any
        switch operand {
        case .held(let given): value = given.content
        case .literal(.null): return nil
        case .literal(.string(let text)): value = try attribute.value(fromText: text)
        case .literal(.date(let text)): value = try number(text, text)
        case .literal(.boolean(let flag)): value = try number(flag, "\(flag)")
        case .literal(.integer(let number)): value = try self.number(number, "\(number)")
        case .literal(.number(let number, let text)): value = try self.number(number, text)
        case .term: throw refusal("it is stored by a transformer, so it can only be compared with values")
        }
        return try attribute.any(attribute.slot(any: value)).map { ($0 as? String)?.composed ?? $0 }
    }

    /// Returns a number, date, or Boolean value as a value of the attribute's type, if the type is plain or if its
    /// human form can parse it.
    private func number(_ value: any Sendable, _ text: String) throws -> Any {
        guard attribute.valueType != String.self else {
            throw StoreError(
                .invalidCondition,
                "it is text; write the value in quotes",
                entity: scope.entity.name,
                attribute: attribute.name
            )
        }
        let isRead = attribute.valueType == Date.self || attribute.valueType == Decimal.self
        let isPlain = attribute.valueType is any PlainValue.Type && !isRead
        return isPlain ? value : try attribute.value(fromText: text)
    }

    private func refusal(_ message: String) -> StoreError {
        StoreError(.unsupported, message, entity: scope.entity.name, attribute: attribute.name)
    }
}

extension Equatable {
    fileprivate func isEqual(to other: Any) -> Bool {
        self == other as? Self
    }
}

extension Comparable {
    /// Compares this decoded value with another.
    fileprivate func compared(with other: Any) -> ComparisonResult? {
        guard let other = other as? Self else { return nil }
        if other == self { return .orderedSame }
        // As for columns of text. Swift's own comparison differs from that of the composed form for some text.
        if let text = self as? String, let other = other as? String {
            let precedes = other.composed.utf8.lexicographicallyPrecedes(text.composed.utf8)
            return precedes ? .orderedAscending : .orderedDescending
        }
        if other < self { return .orderedAscending }
        return other > self ? .orderedDescending : nil
    }
}
