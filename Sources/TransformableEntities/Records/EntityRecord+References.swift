internal import TransformableStore

extension _EntityRecord {
    /// Returns the object of a to-one relationship.
    ///
    /// - Parameter index: The index of the relationship.
    /// - Returns: The object, or nil if the relationship is empty.
    public func reference<Destination: Entity>(_ index: Int) -> Destination? {
        guard let object else { return drafted(index, as: Destination.self)?.objects.first }
        return attempt(object) { context in
            try object.object(object.relationshipName(at: index)).map { try context.entity(of: $0) }
        } ?? nil
    }

    /// Returns the objects of a to-many relationship.
    ///
    /// - Parameter index: The index of the relationship.
    /// - Returns: The objects, ordered by id.
    public func reference<Destination: Entity>(_ index: Int) -> [Destination] {
        guard let object else { return drafted(index, as: Destination.self)?.objects ?? [] }
        return attempt(object) { context in
            let (list, isKept) = try object.list(ofRelationshipAt: index)
            if let known = list.representatives as? RelatedEntities<Destination> { return known.objects }
            let objects: [Destination] = try list.objects.map { try context.entity(of: $0) }
            if isKept { list.representatives = RelatedEntities(objects) }
            return objects
        } ?? []
    }

    private func drafted<Destination: Entity>(
        _ index: Int,
        as type: Destination.Type
    ) -> RelatedEntities<Destination>? {
        references[index] as? RelatedEntities<Destination>
    }

    /// Sets the object of a to-one relationship, inserts the object if necessary, and updates the inverse relationship.
    ///
    /// - Parameters:
    ///   - other: The object, or nil to clear the relationship.
    ///   - index: The index of the relationship.
    public func setReference<Destination: Entity>(_ other: Destination?, _ index: Int) {
        guard let object else {
            return setReferences(other.map { [$0] } ?? [], index)
        }
        func set() throws {
            try Self.requireReadable(index, of: object, as: Destination.self) {
                try object.object(object.relationshipName(at: index)).map { [$0] } ?? []
            }
            try object.context.grouped {
                let other = try other.map { try object.context.attached($0) }
                try object.setObject(other, for: object.relationshipName(at: index))
            }
        }
        do {
            try set()
        } catch {
            refuse(error, in: object, relationship: index, isWhole: true, set)
        }
    }

    /// Sets the objects of a to-many relationship, inserts new objects, and updates the inverse relationships.
    ///
    /// - Parameters:
    ///   - others: The objects.
    ///   - index: The index of the relationship.
    public func setReference<Destination: Entity>(_ others: [Destination], _ index: Int) {
        setReference(others, index, isWhole: true)
    }

    /// The same, also for a relationship that was modified rather than set as a whole.
    private func setReference<Destination: Entity>(_ others: [Destination], _ index: Int, isWhole: Bool) {
        guard let object else {
            return setReferences(others, index)
        }
        func set() throws {
            try Self.requireReadable(index, of: object, as: Destination.self) {
                let list = try object.list(ofRelationshipAt: index).list
                return list.representatives is RelatedEntities<Destination> ? [] : list.objects
            }
            try object.context.grouped {
                let others = try object.context.attached(others)
                guard isWhole else { return try object.rearrange(others, ofRelationshipAt: index) }
                try object.setObjects(others, for: object.relationshipName(at: index))
            }
        }
        do {
            try set()
        } catch {
            refuse(error, in: object, relationship: index, isWhole: isWhole, set)
        }
    }

    /// Throws an error if the getter cannot return the current objects of a relationship.
    ///
    /// The objects to be set may have been chosen from those that the getter returned in place of the current ones.
    private static func requireReadable<Destination: Entity>(
        _ index: Int,
        of object: ManagedObject,
        as type: Destination.Type,
        _ current: () throws -> [ManagedObject]
    ) throws {
        guard type._entitySchema.mayFailToFetch else { return }
        do {
            for other in try current() { _ = try object.context.entity(of: other) as Destination }
        } catch let error as StoreError where error.isFailureToDecode {
            let name = try object.relationshipName(at: index)
            throw StoreError(
                error.code,
                """
                its current objects cannot be read, so they are not replaced; to replace them without reading, use \
                “managedObject” and set “\(name)” by name
                """,
                entity: object.id.entity,
                attribute: name,
                object: object.id,
                underlying: error
            )
        }
    }

    /// Lends the objects of a to-many relationship, so that they can be modified in place.
    ///
    /// - Parameter index: The index of the relationship.
    /// - Returns: The objects, to be passed to ``settle(_:_:)`` after the modification.
    public func lend<Destination: Entity>(_ index: Int) -> _LentEntities<Destination> {
        guard let object else {
            return _LentEntities(draft: drafted(index, as: Destination.self))
        }
        do {
            let list = try object.changingList(ofRelationshipAt: index)
            let entities =
                try list.representatives as? RelatedEntities<Destination>
                ?? RelatedEntities(list.objects.map { try object.context.entity(of: $0) })
            // Code that reads the relationship in the meantime gets its former value.
            list.representatives = nil
            return _LentEntities(entities, list, in: object.context)
        } catch {
            note(error, in: object)
            return _LentEntities(failure: error)
        }
    }

    /// Takes lent objects back, inserts new objects, and updates the inverse relationships.
    ///
    /// - Parameters:
    ///   - lent: The lent objects in their current state.
    ///   - index: The index of the relationship.
    public func settle<Destination: Entity>(_ lent: inout _LentEntities<Destination>, _ index: Int) {
        let (objects, lost) = (lent.takeObjects(), lent.end())
        guard let object else { return settleDraft(objects, lent.entities, index) }
        if let failure = lent.failure {
            return refuse(failure, in: object, relationship: index, isWhole: false) { throw failure }
        }
        guard let entities = lent.entities, let list = lent.list, lent.isCurrent(of: object, index)
        else {
            // The relationship was changed by other means in the meantime, so all of its objects are set.
            return setReference(objects, index, isWhole: false)
        }
        entities.forget(lost, in: list)
        let (range, new) = entities.difference(to: objects)
        let isEnd = range.isEmpty && range.lowerBound == list.objects.count
        do {
            try settle(objects, entities, (range, new), list, of: object, index)
        } catch {
            let known = list.objects
            refuse(error, in: object, relationship: index, isWhole: false) {
                guard try isEnd || object.objects(object.relationshipName(at: index)) == known else {
                    throw error
                }
                try Self.change(object, index, to: isEnd ? Array(objects[new]) : objects, isAdding: isEnd)
            }
        }
    }

    /// Retries a change of a to-many relationship that was refused.
    ///
    /// Objects appended at the end are added to the current objects.
    private static func change<Destination: Entity>(
        _ object: ManagedObject,
        _ index: Int,
        to objects: [Destination],
        isAdding: Bool
    ) throws {
        let others = try object.context.attached(objects)
        guard isAdding else { return try object.rearrange(others, ofRelationshipAt: index) }
        for other in others { try object.add(other, to: object.relationshipName(at: index)) }
    }

    private func settleDraft<Destination: Entity>(
        _ objects: [Destination],
        _ entities: RelatedEntities<Destination>?,
        _ index: Int
    ) {
        guard let entities, drafted(index, as: Destination.self) === entities else {
            return setReferences(objects, index)
        }
        entities.give(objects)
    }

    private func settle<Destination: Entity>(
        _ objects: [Destination],
        _ entities: RelatedEntities<Destination>,
        _ difference: (old: Range<Int>, new: Range<Int>),
        _ list: RelatedList,
        of object: ManagedObject,
        _ index: Int
    ) throws {
        let context = object.context
        let (range, new) = difference
        if range.isEmpty, new.count == 1, range.lowerBound == list.objects.count {
            // The usual case. It calls no generic functions, because looking up their types costs more than the work.
            let last = objects[new.lowerBound]
            try object.append(to: list, ofRelationshipAt: index) { try context.attached(last) }
        } else if !range.isEmpty || !new.isEmpty {
            let others = list.lastPlaces(of: Array(objects[new]), replacing: range) { $0.managedObject }
            try object.replace(list, range, ofRelationshipAt: index) { try context.attached(others) }
        }
        // The array is the list again, unless an object is not at the position where it was put.
        if list.objects.count == objects.count, object.isKept(list, ofRelationshipAt: index),
            new.allSatisfy({ list.objects[$0] === objects[$0].managedObject })
        {
            entities.give(objects, changed: range, to: new)
            list.representatives = entities
        }
        context.dropListsUnlessPending()
    }

    private func attempt<Result>(_ object: ManagedObject, _ body: (StoreContext) throws -> Result) -> Result? {
        do {
            return try body(object.context)
        } catch {
            note(error, in: object)
            return nil
        }
    }
}
