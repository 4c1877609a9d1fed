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
    /// - Throws: `StoreError` with the code `read-only`, with the code `misuse` if the context cannot change objects of the
    ///   entity, or with the code `busy` if another process has locked the file.
    package func newNumber(_ name: String) throws -> Int64 {
        try requireWritable()
        let entity = try schema.entity(name)
        try requireOwn(entity)
        return try connection.nextNumber(entity)
    }

    /// Inserts a new object with values that a program's own object has collected.
    ///
    /// The hooks that run after an insertion must then be run with ``awakeFromInsert(_:)``.
    ///
    /// - Parameters:
    ///   - name: The entity's name. Its class must have been checked.
    ///   - number: The number that was reserved for the object.
    ///   - slots: The values, at the positions of their attributes.
    ///   - adopt: Makes the program's object represent the store's object, before hooks see either of them.
    /// - Throws: `StoreError` if a value is encoded when it is set and cannot be encoded.
    package func insert(
        _ name: String,
        number: Int64,
        slots: [Slot?],
        _ adopt: (ManagedObject) -> Void
    ) throws {
        _ = try insert(schema.entity(name), number, runsHooks: false) { try $0.adopt(slots, adopt) }
    }

    /// Returns the references and pairs of existing objects that change when an object is connected.
    ///
    /// - Parameters:
    ///   - name: The entity's name.
    ///   - object: The object, or `nil` if it is not inserted yet.
    ///   - index: The index of its relationship.
    ///   - others: The existing objects that it will lead to.
    /// - Returns: The former references.
    /// - Throws: `StoreError` if a reference cannot be read.
    package func formerReferences(
        of name: String,
        _ object: ManagedObject?,
        at index: Int,
        _ others: [ManagedObject]
    ) throws -> [FormerReference] {
        let relationship = try schema.entity(name).relationships[index]
        var former: [FormerReference] = []
        if let object, !relationship.description.isToMany {
            former.append(try FormerReference(object, relationship.name))
        }
        if let inverse = relationship.inverse, !inverse.isToMany {
            former += try others.map { try FormerReference($0, inverse.name) }
        } else if let object, relationship.description.isToMany {
            let own = try object.entity.relationship(relationship.name)
            former += try others.filter { try !object.isLinked(to: $0, own) }
                .map { FormerReference(object, own.name, without: $0) }
        }
        return former
    }

    /// Runs the hooks of a new object, once everything that its class has collected is set.
    package func awakeFromInsert(_ object: ManagedObject) throws {
        try runHooks(\.awakeFromInsert, of: object)
    }
}

/// Where an object led before a change.
package struct FormerReference {
    private let object: ManagedObject
    private let set: (ManagedObject) throws -> Void

    /// Keeps a to-one reference, along with the object's position in the inverse relationship.
    fileprivate init(_ object: ManagedObject, _ name: String) throws {
        self.object = object
        let place = try object.entity.relationship(name).position.map { object.entity.attributes[$0] }
        let (other, position) = (try object.object(name), try place.flatMap(object.reference))
        set = { object in
            try object.setObject(other, for: name)
            guard let place, try object.reference(place) != position else { return }
            try object.setReference(position, place)
        }
    }

    /// Keeps that a to-many relationship did not contain another object.
    fileprivate init(_ object: ManagedObject, _ name: String, without other: ManagedObject) {
        self.object = object
        set = { try $0.remove(other, from: name) }
    }

    /// Makes the object lead to where it led.
    package func restore() throws {
        if !object.isDeleted { try set(object) }
    }
}

extension ManagedObject {
    /// Returns the name of the relationship at a position, in the order of the model.
    package func relationshipName(at index: Int) throws(StoreError) -> String {
        guard entity.relationships.indices.contains(index) else {
            throw StoreError(.unknownAttribute, "there is no relationship at index \(index)", entity: entity.name)
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
                "it refers to objects of \(relationship.destination), not of \(id.entity)",
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

/// Access to attributes by their positions in the model, which is faster than access by name.
///
/// An attribute's position is its index in ``Store/attributes(of:)``: inherited attributes come first, followed by the
/// entity's own in declaration order.
extension ManagedObject {
    /// Returns the value of the attribute at a position, or `nil` if it has none.
    ///
    /// - Parameters:
    ///   - index: The attribute's position in its entity.
    ///   - type: The type of its values, as an optional.
    /// - Returns: The value, which is decoded now if it has not been decoded yet.
    /// - Throws: `StoreError` with the code `undecodable`, `wrong-type`, or
    ///   `unknown-attribute`.
    @inlinable
    public func _value<Value>(at index: Int, as type: Value?.Type) throws -> Value? {
        let slot = try decoded(at: index)
        if let slot = slot as? ValueSlot<Value> { return slot.value }
        return slot.hasValue ? try converted(slot, at: index) : nil
    }

    @usableFromInline
    package func decoded(at index: Int) throws -> Slot {
        try decoded(attribute(at: index))
    }

    @usableFromInline
    package func converted<Value>(_ slot: Slot, at index: Int) throws -> Value? {
        try converted(slot, attribute(at: index))
    }

    /// Sets the value of the attribute at a position, or removes it.
    ///
    /// - Parameters:
    ///   - value: The value, or `nil` to remove it.
    ///   - index: The attribute's position in its entity.
    /// - Throws: `StoreError` with the code `wrong-type`, `unknown-attribute`, or
    ///   `read-only`. If the value cannot be stored, the error is thrown when the context is saved.
    @inlinable
    public func _setValue<Value>(_ value: Value?, at index: Int) throws {
        try requireSettable(checked(index))
        try put(holds(Value.self, index) ? .holding(value) : slot(any: value, index), index)
    }

    /// Returns the name of the attribute at a position.
    ///
    /// - Parameter index: The attribute's position in its entity.
    /// - Returns: The name.
    /// - Throws: `StoreError` with the code `unknown-attribute` if there is no such attribute.
    public func _attributeName(at index: Int) throws(StoreError) -> String {
        try attribute(at: index).name
    }

    @usableFromInline
    func checked(_ index: Int) throws -> Int {
        try attribute(at: index).index
    }

    private func attribute(at index: Int) throws(StoreError) -> StoredAttribute {
        guard entity.attributes.indices.contains(index) else {
            throw StoreError(.unknownAttribute, "there is no attribute at index \(index)", entity: entity.name)
        }
        return entity.attributes[index]
    }
}
