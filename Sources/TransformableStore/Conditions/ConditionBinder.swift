internal import Foundation
internal import Transformable

/// Finds a condition's names in an entity, and gives its values their types.
///
/// Whatever cannot be said, or would filter wrongly, is an error that names the part.
struct ConditionBinder {
    let entity: StoredEntity
    let schema: StoreSchema

    func bind(_ node: Condition.Node) throws -> BoundCondition {
        switch node {
        case .constant(let flag): .constant(flag)
        case .not(let inner): .not(try bind(inner))
        case .and(let nodes):
            .and(try nodes.map(bind) + CompoundLookup(entity: entity, schema: schema).tests(for: nodes))
        case .or(let nodes): .or(try nodes.map(bind))
        case .comparison(let name, let comparison): try bind(name, comparison)
        }
    }

    private var context: TransformContext {
        TransformContext(store: schema.uuid, entity: entity.id)
    }

    private func bind(_ name: String, _ comparison: Condition.Comparison) throws -> BoundCondition {
        if let part = entity.partName(ofPath: name) { return try bind(part, comparison) }
        if let composite = entity.composite(name) { return try bind(composite, comparison) }
        if let point = name.firstIndex(of: ".") {
            return try bind(String(name[..<point]), path: String(name[name.index(after: point)...]), comparison)
        }
        let column: BoundColumn
        if name == "_id" {
            column = .number
        } else if let (attribute, index) = entity.projection(name) {
            if let failure = attribute.projections[index].failure { throw failure }
            column = .projection(attribute, index)
        } else {
            let attribute = try entity.attribute(name)
            if let failure = attribute.failure { throw failure }
            guard attribute.cell != nil else {
                throw refusal(name, "it is kept in memory only, so objects cannot be found by it")
            }
            guard attribute.description.type != .transformed, !attribute.isExternal else {
                let tests = TransformedComparison(entity: entity, attribute: attribute, context: context)
                return try tests.bind(comparison)
            }
            column = .plain(attribute)
        }
        return try PlainComparison(entity: entity, column: column, name: name).bind(comparison)
    }

    /// A comparison of a composite: all of its parts are equal to those of a value, or there is none.
    private func bind(_ composite: CompositeDescription, _ comparison: Condition.Comparison) throws -> BoundCondition {
        if comparison.isNull {
            return .and(try composite.attributes.map { try bind($0.name, .isNull) })
        }
        guard case .equal(.value(let value)) = comparison, let parts = (value as? any CompositeValue)?.partValues,
            Set(parts.keys) == Set(composite.parts.map(\.name))
        else {
            throw refusal(
                composite.name,
                "it is a composite: compare its parts, as in “\(composite.name).\(composite.parts.first?.name ?? "")”"
            )
        }
        return .and(
            try parts.sorted { $0.key < $1.key }
                .map { try bind(composite.attributeName($0), $1.map { .equal(.value($0)) } ?? .isNull) }
        )
    }

    /// A comparison of what a relationship leads to; one that leads nowhere has no values there.
    private func bind(
        _ name: String,
        path: String,
        _ comparison: Condition.Comparison
    ) throws -> BoundCondition {
        let relationship = try entity.relationship(name)
        guard case .column = relationship.storage else {
            throw refusal(name, "conditions reach through relationships to one object only, on the side of its column")
        }
        guard !relationship.leadsToFamily else {
            throw refusal(name, "it leads to objects of several entities, which conditions do not follow")
        }
        let destination = try schema.entity(relationship.destination)
        let inner = try ConditionBinder(entity: destination, schema: schema).bind(path, comparison)
        let isNull = comparison.isNull
        let column = SQL.quoted(name)
        let select = "SELECT \"_id\" FROM \(destination.table) WHERE"
        let holds = inner.sql().map { SQLFragment("\(column) IN (\(select) \($0.text))", $0.values) }
        let fails = inner.sql(negated: true).map { SQLFragment("\(column) IN (\(select) \($0.text))", $0.values) }
        let nowhere = "\(column) IS NULL"
        return .test(
            ConditionTest(
                holds: isNull ? holds.map { SQLFragment("(\(nowhere) OR \($0.text))", $0.values) } : holds,
                fails: isNull ? fails : fails.map { SQLFragment("(\(nowhere) OR \($0.text))", $0.values) },
                isExact: inner.isExact
            ) { object in
                guard let other = try object.related(relationship).first else { return isNull }
                return try inner.matches(other)
            }
        )
    }

    private func refusal(_ name: String, _ message: String) -> StoreError {
        StoreError(.unsupported, message, entity: entity.name, attribute: name)
    }
}

/// A column that SQL compares.
enum BoundColumn {
    /// The object's own number.
    case number
    case plain(StoredAttribute)
    case projection(StoredAttribute, Int)
}

extension Condition.Comparison {
    /// Whether it holds for no value, and for nothing else.
    fileprivate var isNull: Bool {
        switch self {
        case .isNull, .equal(.literal(.null)): true
        default: false
        }
    }
}
