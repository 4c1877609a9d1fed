/// Rejects what a model can declare and a store does not support yet, so that it is never silently ignored.
enum Unsupported {
    static func check(_ model: Model) throws(StoreError) {
        for entity in model.entities {
            try checkInverses(of: entity, in: model)
            for relationship in entity.relationships {
                try check(relationship, of: entity, in: model)
            }
            let plan = RelationshipPlan(model: model)
            for name in entity.uniqueness.joined() where plan.lacksColumn(name, in: entity.name) {
                throw refusal("unique groups with a relationship that has no column of its own", entity.name, name)
            }
        }
    }

    /// Checks that no two relationships of an object have the same inverse, which could be that of only one of them.
    ///
    /// A file may have such a model from an earlier version, so this is not a fault of the model itself.
    private static func checkInverses(of entity: EntityDescription, in model: Model) throws(StoreError) {
        var known: [String: String] = [:]
        for relationship in model.lineage(of: entity).flatMap(\.relationships) {
            guard let inverse = relationship.inverse,
                let owner = model.entity(relationship.destination).map(model.lineage)?
                    .last(where: { $0.relationships.contains { $0.name == inverse } })
            else { continue }
            let name = "\(owner.name).\(inverse)"
            guard let other = known.updateValue(relationship.name, forKey: name) else { continue }
            let message = "it has the inverse \(name), which is the inverse of “\(other)” already"
            throw StoreError(.unsupported, message, entity: entity.name, attribute: relationship.name)
        }
    }

    private static func check(
        _ relationship: RelationshipDescription,
        of entity: EntityDescription,
        in model: Model
    ) throws(StoreError) {
        let plan = RelationshipPlan(model: model)
        guard let inverse = plan.statedInverse(of: relationship, in: entity.name) else { return }
        // All objects that the inverse can refer to must have the relationship.
        let isSame = inverse == relationship && !plan.isOwnInverse(relationship, in: entity.name)
        guard !isSame, plan.isKind(inverse.destination, of: entity.name) else {
            throw refusal(
                "inverses that also refer to objects without the relationship",
                entity.name,
                relationship.name
            )
        }
    }

    private static func refusal(_ what: String, _ entity: String, _ name: String?) -> StoreError {
        StoreError(.unsupported, "stores do not support \(what) yet", entity: entity, attribute: name)
    }
}
