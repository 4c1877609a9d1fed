internal import Foundation
internal import Transformable

/// Comparisons of a transformed attribute: a projection narrows the rows down, the decoded value decides.
struct TransformedComparison {
    let entity: StoredEntity
    let attribute: StoredAttribute
    let context: TransformContext

    private var sql: String { SQL.quoted(attribute.name) }

    func bind(_ comparison: Condition.Comparison) throws -> BoundCondition {
        switch comparison {
        case .isNull: .test(isNull)
        case .equal(let operand): try equal(operand)
        case .within(let operands): .or(try operands.map(equal))
        case .less(let operand): try ordered(operand, "<=") { $0 == .orderedAscending }
        case .lessOrEqual(let operand): try ordered(operand, "<=") { $0 != .orderedDescending }
        case .greater(let operand): try ordered(operand, ">=") { $0 == .orderedDescending }
        case .greaterOrEqual(let operand): try ordered(operand, ">=") { $0 != .orderedAscending }
        case .between(let least, let most):
            .and([try bind(.greaterOrEqual(least)), try bind(.lessOrEqual(most))])
        case .contains(let operand): try text(operand) { ByteSearch.contains(Array($0.utf8), Array($1.utf8)) }
        case .startsWith(let operand): try text(operand) { $0.utf8.starts(with: $1.utf8) }
        case .endsWith(let operand): try text(operand) { $0.utf8.reversed().starts(with: $1.utf8.reversed()) }
        case .like(let operand): try text(operand) { LikePattern($1).matches($0) }
        }
    }

    private var isNull: ConditionTest {
        let cell = attribute
        return ConditionTest(
            holds: SQLFragment("\(sql) IS NULL"),
            fails: SQLFragment("\(sql) IS NOT NULL"),
            isExact: true
        ) { object in
            try object.isNull(cell)
        }
    }

    /// A test that reads the decoded value; no value satisfies none.
    private func test(_ holds: SQLFragment?, _ decide: @escaping (Any) throws -> Bool) -> BoundCondition {
        let attribute = attribute
        let narrowed = holds ?? SQLFragment("\(sql) IS NOT NULL")
        return .test(
            ConditionTest(holds: narrowed, fails: nil, isExact: false) { object in
                let slot = try object.slot(attribute)
                guard slot.failure == nil else { return try object.undecided(slot) }
                return try attribute.any(slot).map(decide) ?? false
            }
        )
    }

    private func equal(_ operand: Operand) throws -> BoundCondition {
        guard let value = try value(operand) else { return .test(isNull) }
        guard let equatable = value as? any Equatable else {
            throw refusal("its values cannot be compared")
        }
        return test(try candidates(value)) { equatable.isEqual(to: $0) }
    }

    /// The rows whose projection is one that an equal value may have; nil without such a projection.
    ///
    /// A projection is computed from the value that is set. What a lossy transformer gives back may be
    /// another one, so its projections do not find it.
    private func candidates(_ value: Any) throws -> SQLFragment? {
        guard attribute.transformer?.traits.contains(.lossy) == false else { return nil }
        let usable = attribute.projections.indices.filter { attribute.projections[$0].findsEqualValues }
        let indexed = usable.first { attribute.projections[$0].description.isIndexed }
        guard let index = indexed ?? usable.first else { return nil }
        let column = SQL.quoted(attribute.projections[index].name)
        let place = context.with(attribute)
        let values = try OperandConversion.refusing { try attribute.candidates(index, for: value, in: place) }
        let known = values.filter { $0 != .null }
        let list = SQLFragment("\(column) IN (\(known.map { _ in "?" }.joined(separator: ", ")))", known)
        guard known.count < values.count else { return list }
        return SQLFragment("(\(list.text) OR \(column) IS NULL)", known)
    }

    private func ordered(
        _ operand: Operand,
        _ sign: String,
        _ accepts: @escaping (ComparisonResult) -> Bool
    ) throws -> BoundCondition {
        guard let value = try value(operand) else {
            throw StoreError(
                .invalidCondition,
                "nothing is smaller or larger than null",
                entity: entity.name,
                attribute: attribute.name
            )
        }
        guard let comparable = value as? any Comparable else { throw refusal("its values have no order") }
        return test(nil) { comparable.compared(with: $0).map(accepts) ?? false }
    }

    private func text(_ operand: Operand, _ decide: @escaping (String, String) -> Bool) throws -> BoundCondition {
        guard attribute.valueType == String.self, let text = try value(operand) as? String else {
            throw refusal("only text has parts and patterns")
        }
        let composed = text.composed
        return test(nil) { ($0 as? String).map { decide($0, composed) } ?? false }
    }

    /// The operand as a value of the attribute; nil for null.
    func value(_ operand: Operand) throws -> Any? {
        try OperandConversion.refusing { try converted(operand) }
    }

    private func converted(_ operand: Operand) throws -> Any? {
        let value: Any
        switch operand {
        case .value(let given): value = given
        case .literal(.null): return nil
        case .literal(.string(let text)): value = try attribute.value(fromText: text)
        case .literal(.date(let text)): value = try attribute.value(fromText: text)
        case .literal(.boolean(let flag)): value = try scalar(flag, "\(flag)")
        case .literal(.integer(let number)): value = try scalar(number, "\(number)")
        case .literal(.number(let number)): value = try scalar(number, "\(number)")
        }
        let slot = attribute.makeSlot()
        try attribute.set(slot, any: value)
        return attribute.any(slot).map { ($0 as? String)?.composed ?? $0 }
    }

    /// A number as the attribute's type, be it a plain one or one whose human form reads it.
    private func scalar(_ value: any Sendable, _ text: String) throws -> Any {
        attribute.valueType is any PlainValue.Type && attribute.valueType != String.self
            ? value
            : try attribute.value(fromText: text)
    }

    private func refusal(_ message: String) -> StoreError {
        StoreError(.unsupported, message, entity: entity.name, attribute: attribute.name)
    }
}

extension TransformContext {
    fileprivate func with(_ attribute: StoredAttribute) -> Self {
        var copy = self
        copy.attribute = attribute.id
        return copy
    }
}

extension Equatable {
    fileprivate func isEqual(to other: Any) -> Bool {
        // Text is compared by its bytes everywhere.
        if let left = self as? String, let right = other as? String { return left.utf8.elementsEqual(right.utf8) }
        return self == other as? Self
    }
}

extension Comparable {
    /// How a decoded value compares with this one.
    fileprivate func compared(with other: Any) -> ComparisonResult? {
        if let left = other as? String, let right = self as? String {
            if left.utf8.elementsEqual(right.utf8) { return .orderedSame }
            return left.utf8.lexicographicallyPrecedes(right.utf8) ? .orderedAscending : .orderedDescending
        }
        guard let other = other as? Self else { return nil }
        if other == self { return .orderedSame }
        if other < self { return .orderedAscending }
        return other > self ? .orderedDescending : nil
    }
}
