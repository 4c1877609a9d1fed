internal import TransformableStore

extension _EntityRecord {
    /// Gives the object that a relationship to one leads to.
    ///
    /// - Parameter index: The relationship's place.
    /// - Returns: The object; nil if it leads nowhere.
    public func reference<Destination: Entity>(_ index: Int) -> Destination? {
        guard let object else { return drafted(index, as: Destination.self)?.objects.first }
        return attempt(object) { context in
            try object.object(object.relationshipName(at: index)).map { try context.face(of: $0) }
        } ?? nil
    }

    /// Gives the objects that a relationship to many leads to.
    ///
    /// - Parameter index: The relationship's place.
    /// - Returns: The objects, in the order of their ids.
    public func reference<Destination: Entity>(_ index: Int) -> [Destination] {
        guard let object else { return drafted(index, as: Destination.self)?.objects ?? [] }
        return attempt(object) { context in
            let (list, isKept) = try object.list(ofRelationshipAt: index)
            if let known = list.faces as? RelatedEntities<Destination> { return known.objects }
            let objects: [Destination] = try list.objects.map { try context.face(of: $0) }
            if isKept { list.faces = RelatedEntities(objects) }
            return objects
        } ?? []
    }

    private func drafted<Destination: Entity>(
        _ index: Int,
        as type: Destination.Type
    ) -> RelatedEntities<Destination>? {
        references[index] as? RelatedEntities<Destination>
    }

    /// Lets a relationship to one lead to an object, which is inserted if it is not yet; the other side follows.
    ///
    /// - Parameters:
    ///   - other: The object; nil lets it lead nowhere.
    ///   - index: The relationship's place.
    public func setReference<Destination: Entity>(_ other: Destination?, _ index: Int) {
        guard let object else {
            return setReferences(other.map { [$0] } ?? [], index)
        }
        func set() throws {
            let other = try other.map { try object.context.attached($0) }
            try object.setObject(other, for: object.relationshipName(at: index))
        }
        do {
            try set()
        } catch {
            refuse(error, in: object, relationship: index, isWhole: true, set)
        }
    }

    /// Lets a relationship to many lead to objects, which are inserted if they are not yet; the other side follows.
    ///
    /// - Parameters:
    ///   - others: The objects.
    ///   - index: The relationship's place.
    public func setReference<Destination: Entity>(_ others: [Destination], _ index: Int) {
        guard let object else {
            return setReferences(others, index)
        }
        func set() throws {
            let others = try object.context.attached(others)
            try object.setObjects(others, for: object.relationshipName(at: index))
        }
        do {
            try set()
        } catch {
            refuse(error, in: object, relationship: index, isWhole: true, set)
        }
    }

    /// Lends the objects that a relationship to many leads to, so that they are changed in place.
    ///
    /// - Parameter index: The relationship's place.
    /// - Returns: The objects, for ``settle(_:_:)`` to compare with what they were.
    public func lend<Destination: Entity>(_ index: Int) -> _LentEntities<Destination> {
        guard let object else {
            let draft = drafted(index, as: Destination.self)
            return _LentEntities(draft?.take() ?? [], draft, nil)
        }
        do {
            let list = try object.changingList(ofRelationshipAt: index)
            let entities =
                try list.faces as? RelatedEntities<Destination>
                ?? RelatedEntities(list.objects.map { try object.context.face(of: $0) })
            // Whoever reads the relationship meanwhile sees what it was.
            list.faces = nil
            return _LentEntities(entities.take(), entities, list)
        } catch {
            note(error, in: object)
            return _LentEntities(failure: error)
        }
    }

    /// Takes objects back that were lent: those that are new are inserted, and the other sides follow.
    ///
    /// - Parameters:
    ///   - lent: What was lent, as it is now.
    ///   - index: The relationship's place.
    public func settle<Destination: Entity>(_ lent: inout _LentEntities<Destination>, _ index: Int) {
        let objects = lent.takeObjects()
        guard let object else { return settleDraft(objects, lent.entities, index) }
        if let failure = lent.failure {
            return refuse(failure, in: object, relationship: index, isWhole: false) { throw failure }
        }
        guard let entities = lent.entities, let list = lent.list, lent.isCurrent(of: object, index)
        else {
            // Something else has changed it meanwhile: the whole of it counts, as it is set.
            return setReference(objects, index)
        }
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

    /// Makes a change of a relationship to many that was refused before: what was added at the end is added to whatever
    /// there is now.
    private static func change<Destination: Entity>(
        _ object: ManagedObject,
        _ index: Int,
        to objects: [Destination],
        isAdding: Bool
    ) throws {
        let (others, name) = try (object.context.attached(objects), object.relationshipName(at: index))
        guard isAdding else { return try object.setObjects(others, for: name) }
        for other in others { try object.add(other, to: name) }
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
        if !range.isEmpty || !new.isEmpty {
            let others = list.lastPlaces(of: Array(objects[new]), replacing: range) { $0.managedObject }
            try object.replace(list, range, ofRelationshipAt: index) { try context.attached(others) }
        }
        // The array is the list again, unless something stands elsewhere than it was put.
        let isSame = zip(new, objects[new])
            .allSatisfy { list.objects.indices.contains($0) && list.objects[$0] === $1.managedObject }
        if isSame, list.objects.count == objects.count, object.isKept(list, ofRelationshipAt: index) {
            entities.give(objects, changed: range, to: new)
            list.faces = entities
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
