/// Rejects what a model can declare and a store does not support yet, so that it is never silently ignored.
enum Unsupported {
    static func check(_ model: Model) throws(StoreError) {
        for entity in model.entities {
            for relationship in entity.relationships {
                try check(relationship, of: entity, in: model)
            }
            let plan = RelationshipPlan(model: model)
            for name in entity.uniqueness.joined() where plan.lacksColumn(name, in: entity.name) {
                throw refusal("unique groups with a relationship that has no column of its own", entity.name, name)
            }
        }
    }

    private static func check(
        _ relationship: RelationshipDescription,
        of entity: EntityDescription,
        in model: Model
    ) throws(StoreError) {
        let plan = RelationshipPlan(model: model)
        guard let inverse = plan.statedInverse(of: relationship, in: entity.name) else { return }
        // All objects that the inverse leads to must have the relationship.
        let isSame = inverse == relationship && !plan.isOwnInverse(relationship, in: entity.name)
        guard !isSame, plan.isKind(inverse.destination, of: entity.name) else {
            throw refusal(
                "inverses that also lead to objects without the relationship",
                entity.name,
                relationship.name
            )
        }
    }

    private static func refusal(_ what: String, _ entity: String, _ name: String?) -> StoreError {
        StoreError(.unsupported, "stores do not support \(what) yet", entity: entity, attribute: name)
    }
}
