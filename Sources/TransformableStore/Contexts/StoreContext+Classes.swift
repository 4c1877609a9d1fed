/// Support for objects of a program's own classes, which represent the store's objects.
extension StoreContext {
    /// Checks that an entity belongs to a class, so that its attributes are at the positions that the class expects.
    package func requireClass(_ type: any AnyObject.Type, of name: String) throws {
        guard try schema.classType(of: name) == type else {
            throw StoreError(.misuse, "the store was opened without the class “\(type)”; list it there", entity: name)
        }
    }

    /// Reserves a number for a new object that is about to be inserted.
    ///
    /// - Parameter name: The entity's name.
    /// - Returns: The number.
    /// - Throws: `StoreError` with the code `read-only`, or with the code `busy` if another process
    ///   has locked the file.
    package func newNumber(_ name: String) throws -> Int64 {
        try requireWritable()
        return try connection.nextNumber(schema.entity(name))
    }

    /// Inserts a new object with values that a program's own object has collected.
    ///
    /// - Parameters:
    ///   - name: The entity's name. Its class must have been checked.
    ///   - number: The number that was reserved for the object.
    ///   - slots: The values, at the positions of their attributes.
    ///   - adopt: Makes the program's object represent the store's object, before hooks see either of them.
    /// - Throws: Errors thrown by hooks.
    package func insert(
        _ name: String,
        number: Int64,
        slots: [Slot?],
        _ adopt: (ManagedObject) -> Void
    ) throws {
        _ = try insert(schema.entity(name), number) { try $0.adopt(slots, adopt) }
    }
}

extension ManagedObject {
    /// Takes over the values that a program's own object has collected.
    ///
    /// - Parameters:
    ///   - slots: The values, at the positions of their attributes.
    ///   - adopt: Makes the program's object represent this object.
    /// - Throws: `StoreError` if a value is encoded when it is set and cannot be encoded.
    package func adopt(_ slots: [Slot?], _ adopt: (ManagedObject) -> Void) throws {
        self.slots = SlotTable(count: entity.attributes.count)
        for (index, slot) in slots.enumerated() {
            slot?.isDirty = true
            self.slots[index] = slot
        }
        adopt(self)
        for attribute in entity.attributes {
            if let slot = self.slots[attribute.index] { try encodeIfAsked(slot, attribute) }
        }
    }
}

extension ManagedObject {
    /// Returns the name of the relationship at a position, in the order of the model.
    package func relationshipName(at index: Int) throws(StoreError) -> String {
        guard entity.relationships.indices.contains(index) else {
            throw StoreError(.unknownAttribute, "there is no relationship at place \(index)", entity: entity.name)
        }
        return entity.relationships[index].name
    }

    /// Sets a to-one relationship to the object with the given id.
    package func setObject(_ id: ObjectID, for name: String) throws {
        guard context.connection.isDetached else { return try setObject(context.fault(id), for: name) }
        let relationship = try entity.relationship(name)
        guard let part = relationship.part(id.entity) else {
            throw StoreError(
                .wrongType,
                "it leads to objects of \(relationship.destination), not of \(id.entity)",
                entity: entity.name,
                attribute: name
            )
        }
        guard case .column(let index) = part.storage else { return try setValue(id.number, for: name) }
        try setValue(id.number, for: entity.attributes[index].name)
    }

    /// The class that represents the objects of this object's entity, or `nil` if there is none.
    package var classType: (any AnyObject.Type)? { entity.description.entityClass?.type }

    /// Returns a Boolean value that indicates whether the relationship at a position is a to-many relationship.
    package func isToMany(at index: Int) -> Bool {
        entity.relationships[index].description.isToMany
    }

    /// Decodes the attribute at a position now, where a failure can be thrown.
    ///
    /// There may be no value yet if a migration step must set it.
    package func requireValue(at index: Int) throws {
        let attribute = entity.attributes[index]
        guard try !decoded(attribute).hasValue, !isLeftToSteps(attribute) else { return }
        throw missingValue(attribute.name, attribute.valueType)
    }

    private func isLeftToSteps(_ attribute: StoredAttribute) -> Bool {
        context.migration?.isLeftToSteps(attribute.name, of: entity.name) ?? false
    }

    /// Returns whether a migration step must still set a value.
    func awaitsValue() throws -> Bool {
        guard context.migration != nil else { return false }
        return try entity.columns.contains { try isLeftToSteps($0) && !slot($0).hasValue }
    }
}
