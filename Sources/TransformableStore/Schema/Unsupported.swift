/// What a model may say and a store does not do yet: it is refused by name, never ignored.
enum Unsupported {
    static func check(_ model: Model) throws(StoreError) {
        for entity in model.entities {
            for relationship in entity.relationships {
                throw refusal("relationships", entity.name, relationship.name)
            }
            for attribute in entity.attributes {
                if attribute.externalThreshold != nil {
                    throw refusal("external storage", entity.name, attribute.name)
                }
            }
        }
    }

    private static func refusal(_ what: String, _ entity: String, _ name: String) -> StoreError {
        StoreError(.unsupported, "stores do not support \(what) yet", entity: entity, attribute: name)
    }
}
