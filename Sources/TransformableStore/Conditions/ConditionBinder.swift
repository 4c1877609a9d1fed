internal import Foundation
internal import Transformable

/// Finds a condition's names in an entity, and gives its values their types.
///
/// Whatever cannot be said, or would filter wrongly, is an error that names the part.
struct ConditionBinder {
    let entity: StoredEntity
    let context: TransformContext

    func bind(_ node: Condition.Node) throws -> BoundCondition {
        switch node {
        case .constant(let flag): .constant(flag)
        case .not(let inner): .not(try bind(inner))
        case .and(let nodes): .and(try nodes.map(bind))
        case .or(let nodes): .or(try nodes.map(bind))
        case .comparison(let name, let comparison): try bind(name, comparison)
        }
    }

    private func bind(_ name: String, _ comparison: Condition.Comparison) throws -> BoundCondition {
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
            guard attribute.description.type != .transformed else {
                let tests = TransformedComparison(entity: entity, attribute: attribute, context: context)
                return try tests.bind(comparison)
            }
            column = .plain(attribute)
        }
        return try PlainComparison(entity: entity, column: column, name: name).bind(comparison)
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
