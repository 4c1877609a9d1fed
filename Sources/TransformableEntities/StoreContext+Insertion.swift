public import TransformableStore

extension StoreContext {
    /// Inserts an object, along with all its related objects.
    ///
    /// The object gets its id immediately and is written when the context is saved. A `write` block saves its context at
    /// its end. If the object cannot be inserted, for example in a `read` block, the error is thrown at the end of the
    /// block, or in a context for editing by each save, unless you have inserted the object again by then. If the object
    /// is already inserted, nothing happens. An object that was deleted, or whose insertion was undone or rolled back,
    /// cannot be inserted again.
    ///
    /// If the block is awaited and its task is canceled, the object is not inserted. The block continues, because this
    /// method cannot throw. Then `try context.save()` and the end of the block throw `CancellationError`, and the write
    /// is rolled back. To end a long block earlier, call `try Task.checkCancellation()` in it.
    ///
    /// - Parameter object: The object.
    /// - Returns: The same object.
    @discardableResult
    public func insert<Object: Entity>(_ object: Object) -> Object {
        func insert() throws {
            guard try !isKnown(object) else { return }
            _ = try attached(object)
        }
        do {
            try insert()
        } catch {
            let refusal = StoreError(.misuse, "the object cannot be inserted", underlying: error)
            refuse(error as? StoreError ?? refusal, insertionOf: object, retry: insert)
        }
        return object
    }

    /// Returns whether an object that is to be inserted already is.
    private func isKnown(_ object: any Entity) throws(StoreError) -> Bool {
        guard let known = object.managedObject else { return false }
        guard try !own(known).isDeleted else {
            let message = "the object has been deleted; undo or roll back this insertion, and insert a new object"
            throw StoreError(.misuse, message, entity: known.id.entity, object: known.id)
        }
        return true
    }

    /// Returns the managed object of an entity object, which is inserted if necessary.
    func attached(_ object: any Entity) throws -> ManagedObject {
        if let known = object.managedObject { return try own(known) }
        let reached = Self.waiting(from: object)
        try insert(reached[...], connecting: reached)
        return try own(object.managedObject)
    }

    /// Inserts objects, and connects all objects whose relationships were set before insertion.
    ///
    /// Either all objects are inserted or none, so that a failed insertion can be retried as a whole.
    private func insert(_ new: ArraySlice<any Entity>, connecting reached: [any Entity]) throws {
        for next in new { try requireClass(of: next) }
        let numbers = try new.map { try newNumber(type(of: $0).entityName) }
        let former = try isEditing ? [] : reached.flatMap { try $0.formerReferences(in: self) }
        do {
            try group {
                var inserted: [any Entity] = []
                for (next, number) in zip(new, numbers) {
                    if try attach(next, number) { inserted.append(next) }
                }
                for next in reached { try next.connect(in: self) }
                // The hooks see the relationships, and add to them.
                for next in inserted where !next.isDeleted { try awakeFromInsert(own(next.managedObject)) }
                for next in reached { resolveInsertion(of: next) }
            }
        } catch {
            // The first error says more than one of a hook that objects to the removal.
            for next in new { try? detach(next) }
            for reference in former { try? reference.restore() }
            throw error
        }
        for next in reached { next.forgetReferences() }
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
        guard let object else {
            throw StoreError(.misuse, "the object is not inserted; insert it into this context first")
        }
        try requireOwnership(of: object)
        return object
    }

    private func requireClass<Object: Entity>(of object: Object) throws {
        try requireClass(Object.self, of: Object.entityName)
    }

    /// Inserts an object without its relationships, or returns false if a hook of another object has inserted it.
    private func attach<Object: Entity>(_ object: Object, _ number: Int64) throws -> Bool {
        guard object.managedObject == nil else { return false }
        object.completeDraft()
        try insert(Object.entityName, number: number, slots: object.draftSlots, object.stand)
        return true
    }

    /// Returns an object whose insertion has failed to the state before the insertion.
    private func detach(_ object: any Entity) throws {
        guard let managed = object.managedObject else { return }
        try takeBack(managed)
        if managed.isDeleted { object.forgetInsertion() }
    }

    /// Deletes an object.
    ///
    /// Its row is removed when the context is saved. A `write` block saves its context at its end.
    ///
    /// - Parameter object: The object.
    /// - Throws: `StoreError` with the code `read-only` if the context cannot write, or `misuse` if the object was
    ///   never inserted or belongs to another context. Any error thrown by the object's `prepareForDeletion()`.
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
        for index in ownSchema.initials.indices { completeDraft(index) }
    }

    /// Sets an attribute that has no value to its initial value.
    func completeDraft(_ index: Int) {
        guard !_record.hasDraft(index), let initial = ownSchema.initials[index] else { return }
        _record.setDraft(initial(), index)
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

    /// Returns the references and pairs of existing objects that change when this object is connected.
    ///
    /// A block has no undo, so they are restored if the insertion fails.
    func formerReferences(in context: StoreContext) throws -> [FormerReference] {
        let (name, object) = (Self.entityName, managedObject)
        let ids = try _record.referenceIDs.flatMap { index, id in
            try context.formerReferences(of: name, object, at: index, [context.fault(id)])
        }
        return try ids
            + waitingReferences.flatMap { index, others in
                try context.formerReferences(of: name, object, at: index, others.compactMap(\.managedObject))
            }
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
    /// Two objects conflict if they have the same value for a unique property, or the same values for a unique group of
    /// properties. Nil never conflicts. The existing object keeps its id and takes all attributes of the new one,
    /// including initial values and nil, as in SwiftData and GRDB. If the new object sets a to-one relationship, the
    /// existing object takes it. Objects in to-many relationships of the new object are added to the existing object's.
    ///
    /// After the call, the object that you passed has the values of the row, whether it was inserted or not.
    ///
    /// If the class has a `willSave()` method, which may store `@Transient` properties, the object that you passed keeps
    /// them, and `awakeFromFetch()` does not run. If the program already holds another object for the row, that one keeps
    /// its own, and those of the object that you passed are not stored. Undoing the upsert does not change the properties,
    /// so refresh the object before you change it again.
    ///
    /// - Parameter object: The object. If it is already inserted, nothing happens.
    /// - Returns: The object that represents the row. It is the same object, unless the program already holds another
    ///   one for that row.
    /// - Throws: `StoreError` with the code `misuse` if the class has no unique property, or if the object has been
    ///   deleted, `not-unique` if the object conflicts with more than one object, or `read-only` if the context cannot
    ///   write. Errors that occur while the existing object is fetched are also thrown.
    @discardableResult
    public func upsert<Object: Entity>(_ object: Object) throws -> Object {
        guard try !isKnown(object) else { return object }
        let own = type(of: object)
        try requireClass(own, of: own.entityName)
        object.completeDraft()
        let missing = max(0, object.ownSchema.initials.count - object.draftSlots.count)
        let slots = object.draftSlots + Array(repeating: nil, count: missing)
        let reached = Self.waiting(from: object)
        // A block could not take back what an object of another context would prevent in the end.
        for next in reached { try requireOwn(next.waitingReferences.values.flatMap(\.self)) }
        return try group {
            let existing = try update(own.entityName, conflictingWith: slots) { try merge(object, into: $0, reached) }
            if let existing { return try entity(of: existing) }
            try insert(reached[...], connecting: reached)
            return object
        }
    }

    /// Throws an error if any of the objects that are already inserted belongs to another context.
    private func requireOwn(_ objects: [any Entity]) throws(StoreError) {
        for object in objects {
            if let known = object.managedObject { _ = try own(known) }
        }
    }

    /// Gives an existing object the relationships of a new one, which represents it from now on.
    private func merge(_ object: some Entity, into existing: ManagedObject, _ reached: [any Entity]) throws {
        do {
            if existing.representative == nil {
                object.stand(for: existing)
                try existing.awakeFilledRepresentative()
            } else {
                object._record.attachSecond(existing)
            }
            try insert(reached.dropFirst(), connecting: reached)
        } catch {
            if existing.representative === object { existing.dismissRepresentative() }
            object.forgetInsertion()
            throw error
        }
    }
}
