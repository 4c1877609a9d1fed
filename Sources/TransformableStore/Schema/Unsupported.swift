/// What a model may say and a store does not do yet: it is refused by name, never ignored.
enum Unsupported {
    static func check(_ model: Model) throws(StoreError) {
        for entity in model.entities {
            for relationship in entity.relationships {
                try check(relationship, of: entity, in: model)
            }
        }
    }

    private static func check(
        _ relationship: RelationshipDescription,
        of entity: EntityDescription,
        in model: Model
    ) throws(StoreError) {
        if relationship.isOrdered { throw refusal("ordered relationships", entity.name, relationship.name) }
        if relationship.destination == entity.name, relationship.inverse == relationship.name {
            throw refusal("relationships that are their own inverse", entity.name, relationship.name)
        }
        for name in [entity.name, relationship.destination] {
            let hasFamily = model.entity(name)?.isAbstract == true || model.entities.contains { $0.parent == name }
            if hasFamily { throw refusal("relationships of entities with children", entity.name, relationship.name) }
        }
    }

    private static func refusal(_ what: String, _ entity: String, _ name: String?) -> StoreError {
        StoreError(.unsupported, "stores do not support \(what) yet", entity: entity, attribute: name)
    }
}
