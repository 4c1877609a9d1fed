public import TransformableStore

extension StoreContext {
    /// Inserts an object, along with all objects that its relationships lead to.
    ///
    /// The object gets its id immediately and is written when the block ends. If it cannot be inserted, for example in
    /// a `read` block, the error is thrown at the end of the block. If the object is already inserted, nothing happens.
    ///
    /// If the block is awaited and its task is canceled, the object is not inserted. The block continues, because this
    /// method cannot throw. Then `try context.save()` and the end of the block throw `CancellationError`, and the write
    /// is rolled back. To end a long block earlier, call `try Task.checkCancellation()` in it.
    ///
    /// - Parameter object: The object.
    /// - Returns: The same object.
    @discardableResult
    public func insert<Object: Entity>(_ object: Object) -> Object {
        do {
            _ = try attached(object)
        } catch {
            let refusal = error as? StoreError
            refuse(refusal ?? StoreError(.misuse, "the object cannot be inserted", underlying: error)) {
                _ = try self.attached(object)
            }
        }
        return object
    }

    /// Returns the managed object of an entity object, which is inserted if necessary.
    func attached(_ object: any Entity) throws -> ManagedObject {
        if let known = object.managedObject { return try own(known) }
        let reached = Self.waiting(from: object)
        for next in reached { try requireClass(of: next) }
        // Either all objects are inserted or none, so that a failed insertion can be retried as a whole.
        let numbers = try reached.map { try newNumber(type(of: $0).entityName) }
        do {
            try group {
                for (next, number) in zip(reached, numbers) { try attach(next, number) }
                for next in reached { try next.connect(in: self) }
            }
        } catch {
            for next in reached { try detach(next) }
            throw error
        }
        for next in reached { next.forgetReferences() }
        return try own(object.managedObject)
    }

    /// Returns the managed objects of several entity objects, which are inserted if necessary.
    func attached(_ objects: [some Entity]) throws -> [ManagedObject] {
        try objects.map { try attached($0) }
    }

    /// Returns an object and all objects reachable from it that are not inserted yet.
    private static func waiting(from object: any Entity) -> [any Entity] {
        // Most new objects do not refer to others yet.
        guard !object.waitingReferences.isEmpty else { return [object] }
        // Uses a list instead of recursion, because a chain of objects can be long. Ids follow the order of
        // relationships.
        var reached = [object]
        var known: Set<ObjectIdentifier> = [ObjectIdentifier(object)]
        var place = 0
        while place < reached.count {
            let next = reached[place]
            place += 1
            for others in next.waitingReferences.sorted(by: { $0.key < $1.key }).map(\.value) {
                for other in others where other.managedObject == nil && known.insert(ObjectIdentifier(other)).inserted {
                    reached.append(other)
                }
            }
        }
        return reached
    }

    func own(_ object: ManagedObject?) throws(StoreError) -> ManagedObject {
        guard let object, object.context === self else {
            throw StoreError(.misuse, "the object belongs to another context", object: object?.id)
        }
        return object
    }

    private func requireClass<Object: Entity>(of object: Object) throws {
        try requireClass(Object.self, of: Object.entityName)
    }

    private func attach<Object: Entity>(_ object: Object, _ number: Int64) throws {
        // A hook of another object may have inserted this one.
        guard object.managedObject == nil else { return }
        object.completeDraft()
        try insert(Object.entityName, number: number, slots: object.draftSlots, object.stand)
    }

    /// Returns an object whose insertion has failed to the state before the insertion.
    private func detach(_ object: any Entity) throws {
        guard let managed = object.managedObject else { return }
        try takeBack(managed)
        if managed.isDeleted { object.forgetInsertion() }
    }

    /// Deletes an object.
    ///
    /// Its row is deleted when the block ends.
    ///
    /// - Parameter object: The object.
    /// - Throws: `StoreError` with the code `read-only` if the context cannot write, or `misuse` if the object was
    ///   never inserted.
    public func delete(_ object: some Entity) throws {
        try delete(own(object._record.object))
    }
}

// These are methods of the class, because an existential cannot provide access to its noncopyable record.
extension Entity {
    /// The related objects before insertion, keyed by the index of the relationship.
    var waitingReferences: [Int: [any Entity]] { _record.references.mapValues(\.entities) }

    /// The values before insertion, indexed by attribute.
    var draftSlots: [Slot?] { _record.slots }

    /// Sets the attributes that have no value to their initial values.
    func completeDraft() {
        for (index, initial) in ownSchema.initials.enumerated() {
            if let initial, !_record.hasDraft(index) { _record.setDraft(initial(), index) }
        }
    }

    /// Makes this object represent a managed object.
    func stand(for managed: ManagedObject) {
        managed.setRepresentative(self, runsDeinit: ownSchema.runsDeinit)
        _record.attach(managed)
    }

    /// Returns this object to the state before its insertion.
    fileprivate func forgetInsertion() {
        _record.detach()
    }

    /// Forgets the relationships that were set before insertion, once the managed object has them.
    func forgetReferences() {
        _record.forgetReferences()
    }

    /// Copies the relationships that were set before insertion to the managed object.
    func connect(in context: StoreContext) throws {
        guard let object = _record.object else { return }
        for (index, id) in _record.referenceIDs.sorted(by: { $0.key < $1.key }) {
            let relationship = try object.relationshipName(at: index)
            try object.setObject(id, for: relationship)
        }
        for (index, others) in waitingReferences.sorted(by: { $0.key < $1.key }) {
            let name = try object.relationshipName(at: index)
            for other in others {
                let other = try context.attached(other)
                if object.isToMany(at: index) {
                    try object.add(other, to: name)
                } else {
                    try object.setObject(other, for: name)
                }
            }
        }
    }
}

extension StoreContext {
    /// Inserts an object, or updates the existing object that has the same unique values.
    ///
    /// ```swift
    /// let patient = try context.upsert(Patient(number: 17, name: "Ada"))
    /// ```
    ///
    /// Two objects conflict if they have the same value of a unique property, or the same values of a unique group of
    /// properties. Nil never conflicts. The existing object keeps its id and takes all attributes of the new one,
    /// including initial values and nil, as in SwiftData and GRDB. If the new object sets a to-one relationship, the
    /// existing object takes it. Objects in to-many relationships of the new object are added to the existing object's.
    ///
    /// After the call, the object that you passed has the values of the row, whether it was inserted or not.
    ///
    /// - Parameter object: The object. If it is already inserted, nothing happens.
    /// - Returns: The object that represents the row. It is the same object, unless the program already holds another
    ///   one for that row.
    /// - Throws: `StoreError` with the code `misuse` if the class has no unique property, `not-unique` if the object
    ///   conflicts with more than one object, or `read-only` if the context cannot write. Errors that occur while the
    ///   existing object is fetched are also thrown.
    @discardableResult
    public func upsert<Object: Entity>(_ object: Object) throws -> Object {
        guard object.managedObject == nil else {
            _ = try own(object.managedObject)
            return object
        }
        let (own, schema) = (type(of: object), object.ownSchema)
        try requireClass(own, of: own.entityName)
        object.completeDraft()
        let missing = max(0, schema.initials.count - object.draftSlots.count)
        let slots = object.draftSlots + Array(repeating: nil, count: missing)
        guard let existing = try update(own.entityName, conflictingWith: slots) else {
            _ = try attached(object)
            return object
        }
        guard existing.representative == nil else {
            object._record.attachSecond(existing)
            try object.connect(in: self)
            object.forgetReferences()
            return try entity(of: existing)
        }
        object.stand(for: existing)
        try schema.awake?(object)
        try object.connect(in: self)
        object.forgetReferences()
        return object
    }
}
