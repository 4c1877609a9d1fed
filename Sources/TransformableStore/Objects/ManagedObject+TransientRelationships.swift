/// Relationships that are kept only in memory.
///
/// Each is the value of an attribute that is kept only in memory: the ids of its objects, so that two objects that lead to
/// each other do not keep each other alive.
extension ManagedObject {
    /// Returns the relationship with the given name that is kept only in memory, or `nil` if there is none.
    func transientRelationship(_ name: String, isToMany: Bool) throws(StoreError) -> TransientRelationship? {
        guard !entity.transientRelationships.isEmpty,
            let relationship = entity.transientRelationships.first(where: { $0.name == name })
        else { return nil }
        guard relationship.isToMany == isToMany else { throw wrongCount(name, isToMany: isToMany) }
        return relationship
    }

    /// Returns the error for a relationship to one object that is used as one to many, or the other way around.
    func wrongCount(_ name: String, isToMany: Bool) -> StoreError {
        let kind = isToMany ? "only one object; use object(_:)" : "many objects; use objects(_:)"
        return StoreError(.wrongType, "it can have \(kind)", entity: entity.name, attribute: name)
    }

    /// Returns the objects that have not been deleted.
    func objects(_ relationship: TransientRelationship) throws -> [ManagedObject] {
        try ids(relationship).compactMap(context.objectIfPresent)
    }

    private func ids(_ relationship: TransientRelationship) throws -> [ObjectID] {
        try value(relationship.attribute.name, as: [ObjectID]?.self) ?? []
    }

    /// Adds an object, unless the relationship contains it.
    func add(_ object: ManagedObject, to relationship: TransientRelationship) throws {
        try requireKind(object, relationship)
        let ids = try ids(relationship)
        guard !ids.contains(object.id) else { return }
        try setValue(ids + [object.id], for: relationship.attribute.name)
    }

    /// Removes an object, if the relationship contains it.
    func remove(_ object: ManagedObject, from relationship: TransientRelationship) throws {
        guard object.context === context else { return }
        let ids = try ids(relationship)
        let rest = ids.filter { $0 != object.id }
        if rest.count < ids.count { try setValue(rest, for: relationship.attribute.name) }
    }

    /// Replaces the objects.
    func set(_ objects: [ManagedObject], _ relationship: TransientRelationship) throws {
        for object in objects { try requireKind(object, relationship) }
        var seen: Set<ObjectID> = []
        try setValue(objects.map(\.id).filter { seen.insert($0).inserted }, for: relationship.attribute.name)
    }

    private func requireKind(_ object: ManagedObject, _ relationship: TransientRelationship) throws(StoreError) {
        guard object.context === context, !object.isDeleted else { throw foreign(object, relationship.name) }
        guard object.entity.name != relationship.destination else { return }
        let lineage = context.schema.model.lineage(of: object.entity.description)
        guard !lineage.contains(where: { $0.name == relationship.destination }) else { return }
        throw unlike(object, relationship.name, relationship.destination)
    }

    /// Returns the error for an object that cannot be related to this one.
    func foreign(_ object: ManagedObject?, _ relationship: String) -> StoreError {
        StoreError(
            .misuse,
            "the object belongs to another context, or has been deleted",
            entity: entity.name,
            attribute: relationship,
            object: object?.id ?? id
        )
    }

    /// Returns the error for an object of an entity that is not the destination of a relationship.
    func unlike(_ object: ManagedObject, _ relationship: String, _ destination: String) -> StoreError {
        StoreError(
            .wrongType,
            "it refers to objects of \(destination), not of \(object.entity.name)",
            entity: entity.name,
            attribute: relationship
        )
    }
}

extension TransientRelationship {
    /// The attribute that contains the ids of its objects.
    ///
    /// No attribute of a model has such a name.
    var attribute: AttributeDescription {
        AttributeDescription(
            "_transient.\(name)",
            .undefined,
            valueType: AttributeValueType(transient: [ObjectID].self),
            [.transient, .optional]
        )
    }
}
