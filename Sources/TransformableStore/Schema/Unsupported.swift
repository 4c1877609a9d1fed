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
        guard let inverse = plan.inverse(of: relationship, in: entity.name) else { return }
        // Both sides must refer to the same objects.
        let back = plan.declarer(of: inverse.name, in: relationship.destination)
        guard back == relationship.destination, inverse.destination == entity.name else {
            throw refusal(
                "inverses with a parent's objects on one side and a child's on the other",
                entity.name,
                relationship.name
            )
        }
    }

    private static func refusal(_ what: String, _ entity: String, _ name: String?) -> StoreError {
        StoreError(.unsupported, "stores do not support \(what) yet", entity: entity, attribute: name)
    }
}
