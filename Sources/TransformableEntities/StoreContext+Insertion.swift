public import TransformableStore

extension StoreContext {
    /// Inserts an object, and with it all objects that its relationships lead to.
    ///
    /// It has its id at once and is written when the block ends. What is refused, in a read for instance, is thrown
    /// at the end of the block. An object that is inserted already stays as it is.
    ///
    /// - Parameter object: The object.
    /// - Returns: The same.
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

    /// The store's object behind one of a class, inserted now if it was not yet.
    func attached(_ object: any Entity) throws -> ManagedObject {
        if let known = object.managedObject { return try own(known) }
        let reached = Self.waiting(from: object)
        for next in reached { try requireFace(of: next) }
        // All or none of them: an object whose number cannot be had is to be inserted later, with what leads there.
        let numbers = try reached.map { try newNumber(type(of: $0).entityName) }
        for (next, number) in zip(reached, numbers) { try attach(next, number) }
        for next in reached { try next.connect(in: self) }
        return try own(object.managedObject)
    }

    /// The same of several objects.
    func attached(_ objects: [some Entity]) throws -> [ManagedObject] {
        try objects.map { try attached($0) }
    }

    /// An object and all others that it leads to and that are in no store yet.
    private static func waiting(from object: any Entity) -> [any Entity] {
        // A list instead of recursion, since a chain of objects may be long; ids follow the order of relationships.
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

    private func requireFace<Object: Entity>(of object: Object) throws {
        try requireFace(Object.self, of: Object.entityName)
    }

    private func attach<Object: Entity>(_ object: Object, _ number: Int64) throws {
        // A hook of another one may have inserted it.
        guard object.managedObject == nil else { return }
        object.completeDraft()
        try insert(Object.entityName, number: number, slots: object.draftSlots, object.stand)
    }

    /// Deletes an object; its row goes when the block ends.
    ///
    /// - Parameter object: The object.
    /// - Throws: `StoreError` with the code `read-only`, or `misuse` for an object that was never inserted.
    public func delete(_ object: some Entity) throws {
        try delete(own(object._record.object))
    }
}

// Functions of the class, since an existential cannot lend its record.
extension Entity {
    /// Where relationships lead before the insertion, by their places.
    var waitingReferences: [Int: [any Entity]] { _record.references.mapValues(\.entities) }

    /// The values before the insertion, at the places of their attributes.
    var draftSlots: [Slot?] { _record.slots }

    /// Gives the attributes that were not set their initial values.
    func completeDraft() {
        for (index, initial) in Self._entitySchema.initials.enumerated() {
            if let initial, !_record.hasDraft(index) { _record.setDraft(initial(), index) }
        }
    }

    /// Stands for an object of the store from now on.
    func stand(for managed: ManagedObject) {
        managed.setRepresentative(self, runsDeinit: Self._entitySchema.runsDeinit)
        _record.attach(managed)
    }

    /// Lets the store's object lead where this one led.
    func connect(in context: StoreContext) throws {
        guard let object = _record.object else { return }
        for (index, number) in _record.referenceNumbers.sorted(by: { $0.key < $1.key }) {
            let relationship = try object.relationshipName(at: index)
            try object.setObject(number: number, for: relationship)
        }
        for (index, others) in _record.takeReferences().sorted(by: { $0.key < $1.key }) {
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
