/// What objects of a program's own classes need, which stand for the store's.
extension StoreContext {
    /// Checks that an entity is the one of a class, so that its attributes lie at the places that the class knows.
    package func requireFace(_ type: any AnyObject.Type, of name: String) throws {
        let entity = try schema.entity(name)
        guard entity.description.face == EntityFace(type) else {
            throw StoreError(.misuse, "the store was opened without the class “\(type)”; open it for it", entity: name)
        }
    }

    /// Takes a number for a new object, which is inserted at once.
    ///
    /// - Parameter name: The entity's name.
    /// - Returns: The number.
    /// - Throws: ``StoreError`` with ``StoreError/Code/readOnly``, or ``StoreError/Code/busy`` while another process
    ///   keeps the file.
    package func newNumber(_ name: String) throws -> Int64 {
        try requireWritable()
        return try nextNumber(schema.entity(name))
    }

    /// Creates a new object of values that a program's own object has collected.
    ///
    /// - Parameters:
    ///   - name: The entity's name, whose class has been checked.
    ///   - number: The number that was taken for it.
    ///   - slots: The values, at the places of their attributes.
    ///   - adopt: Lets the program's object stand for the store's, before hooks see either.
    /// - Throws: What a hook throws.
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
    /// Takes the values that a program's own object has collected.
    ///
    /// - Parameters:
    ///   - slots: The values, at the places of their attributes.
    ///   - adopt: Lets the program's object stand for this one.
    /// - Throws: ``StoreError`` for a value that is encoded when it is set and cannot be.
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
    /// The name of the relationship at a place, in the order of the model.
    package func relationshipName(at index: Int) throws(StoreError) -> String {
        guard entity.relationships.indices.contains(index) else {
            throw StoreError(.unknownAttribute, "there is no relationship at place \(index)", entity: entity.name)
        }
        return entity.relationships[index].name
    }

    /// Lets a relationship to one lead to the object with a number, of the relationship's destination.
    package func setObject(number: Int64, for name: String) throws {
        guard !context.isDetached else { return try setValue(number, for: name) }
        let destination = try entity.relationship(name).destination
        try setObject(context.fault(ObjectID(entity: destination, number: number)), for: name)
    }

    /// Whether the relationship at a place leads to many objects.
    package func isToMany(at index: Int) -> Bool {
        entity.relationships[index].description.isToMany
    }

    /// Decodes the attribute at a place now, where a failure can be thrown.
    package func requireValue(at index: Int) throws {
        let attribute = entity.attributes[index]
        let slot = try decoded(attribute)
        guard slot.hasValue else { throw missingValue(attribute.name, attribute.valueType) }
    }
}
