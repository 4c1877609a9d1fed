internal import Transformable

extension ManagedObject {
    /// Returns the object of a to-one relationship.
    ///
    /// - Parameter name: The relationship's name.
    /// - Returns: The object, or `nil` if the relationship is empty.
    /// - Throws: `StoreError` with the code `unknown-attribute` if there is no such relationship, or with
    ///   the code `wrong-type` if it is a to-many relationship.
    public func object(_ name: String) throws -> ManagedObject? {
        if let transient = try transientRelationship(name, isToMany: false) { return try objects(transient).first }
        let relationship = try relationship(name, isToMany: false)
        return try related(relationship).first
    }

    /// Returns the objects of a to-many relationship, in their order if it is ordered, and otherwise sorted by number.
    ///
    /// The objects are faults. To read many rows at once, call ``StoreContext/prefetch(_:_:)``.
    ///
    /// - Parameter name: The relationship's name.
    /// - Returns: The objects.
    /// - Throws: `StoreError` with the code `unknown-attribute` if there is no such relationship, or with
    ///   the code `wrong-type` if it is a to-one relationship.
    public func objects(_ name: String) throws -> [ManagedObject] {
        if let transient = try transientRelationship(name, isToMany: true) { return try objects(transient) }
        let relationship = try relationship(name, isToMany: true)
        return try related(relationship)
    }

    /// Returns the objects of a relationship, whether it is to-one or to-many.
    func allObjects(_ name: String) throws -> [ManagedObject] {
        if let transient = entity.transientRelationships.first(where: { $0.name == name }) {
            return try objects(transient)
        }
        return try related(entity.relationship(name))
    }

    /// Sets the object of a to-one relationship, and updates the inverse relationship.
    ///
    /// - Parameters:
    ///   - object: An object of the destination entity or one of its children, or `nil` to clear the relationship.
    ///   - name: The relationship's name.
    /// - Throws: `StoreError` with the code `unknown-attribute`, `wrong-type`, or
    ///   `read-only`.
    public func setObject(_ object: ManagedObject?, for name: String) throws {
        if let transient = try transientRelationship(name, isToMany: false) {
            return try set(object.map { [$0] } ?? [], transient)
        }
        let relationship = try relationship(name, isToMany: false)
        try requireKind(object, relationship)
        try context.grouped {
            // Clear the references of both objects' previous partners.
            if relationship.isOwnInverse {
                for other in try related(relationship) where other !== object { try other.leave(self, name) }
            }
            if let object, let inverse = relationship.inverse, !inverse.isToMany, relationship.hasColumn {
                let back = try object.entity.relationship(inverse.name)
                for holder in try object.related(back) where holder !== self { try holder.leave(object, name) }
            }
            guard !relationship.hasColumn, let inverse = relationship.inverse else {
                try lead(relationship, to: object)
                if relationship.isOwnInverse { try object.map { try $0.lead($0.entity.relationship(name), to: self) } }
                return context.resolve(place(ofRelationship: relationship.index))
            }
            for other in try related(relationship) where other !== object {
                try other.lead(other.entity.relationship(inverse.name), to: nil)
            }
            try object.map { try $0.lead($0.entity.relationship(inverse.name), to: self) }
            context.resolve(place(ofRelationship: relationship.index))
        }
    }

    /// Clears a to-one relationship if it leads to an object.
    ///
    /// A former partner that was read before another context made it one may have been set to another object here.
    private func leave(_ object: ManagedObject, _ name: String) throws {
        let relationship = try entity.relationship(name)
        if try related(relationship).first === object { try lead(relationship, to: nil) }
    }

    /// Sets a relationship that is its own inverse if the number of the other object was set, as if the object was.
    ///
    /// - Returns: `false` if the attribute is not the column of such a relationship, if its content is damaged, or if
    ///   there is no object with that number yet.
    /// - Throws: The same errors as `setObject(_:for:)`.
    func setBothSides(_ slot: Slot, of index: Int) throws -> Bool {
        guard !context.links.isLinking, !context.connection.isDetached,
            let relationship = entity.relationships.first(where: { $0.isOwnInverse && $0.columns.contains(index) }),
            let part = relationship.parts.first(where: { $0.storage == .column(index) })
        else { return false }
        guard try self.slot(entity.attributes[index]).failure == nil else { return false }
        guard let number = (slot as? ValueSlot<Int64>)?.value else {
            guard try object(relationship.name)?.entity.name == part.destination else { return false }
            try setObject(nil, for: relationship.name)
            return true
        }
        let id = ObjectID(entity: part.destination, number: number)
        guard let other = try context.objectIfPresent(id) else { return false }
        try setObject(other, for: relationship.name)
        return true
    }

    /// Adds an object to the end of a to-many relationship, and updates the inverse relationship.
    ///
    /// - Parameters:
    ///   - object: An object of the destination entity or one of its children. If the relationship already contains it,
    ///     nothing changes.
    ///   - name: The relationship's name.
    /// - Throws: `StoreError` with the code `unknown-attribute`, `wrong-type`, or
    ///   `read-only`.
    public func add(_ object: ManagedObject, to name: String) throws {
        if let transient = try transientRelationship(name, isToMany: true) {
            return try add(object, to: transient)
        }
        let relationship = try relationship(name, isToMany: true)
        try requireKind(object, relationship)
        try context.grouped { try put(object, relationship, at: nil) }
    }

    /// Removes an object from a to-many relationship, and updates the inverse relationship.
    ///
    /// - Parameters:
    ///   - object: The object. If the relationship does not contain it, nothing changes.
    ///   - name: The relationship's name.
    /// - Throws: `StoreError` with the code `unknown-attribute`, `wrong-type`, or
    ///   `read-only`.
    public func remove(_ object: ManagedObject, from name: String) throws {
        if let transient = try transientRelationship(name, isToMany: true) {
            return try remove(object, from: transient)
        }
        let relationship = try relationship(name, isToMany: true)
        try requireKind(object, relationship)
        // If another context adds the pair before the save, it stays.
        if context.isEditing, relationship.hasPairs, try !isLinked(to: object, relationship) { return }
        try context.grouped { try remove(object, relationship) }
    }

    /// Replaces all objects of a to-many relationship, and updates the inverse relationships.
    ///
    /// - Parameters:
    ///   - objects: The objects, without duplicates. If the relationship is ordered, they are stored in this order.
    ///   - name: The relationship's name.
    /// - Throws: `StoreError` with the code `unknown-attribute`, `wrong-type`, or
    ///   `read-only`.
    public func setObjects(_ objects: [ManagedObject], for name: String) throws {
        if let transient = try transientRelationship(name, isToMany: true) { return try set(objects, transient) }
        let relationship = try relationship(name, isToMany: true)
        try context.grouped {
            try rearrange(objects, ofRelationshipAt: relationship.index)
            context.resolve(place(ofRelationship: relationship.index))
        }
    }

    /// Does the same, but keeps the refused changes of the relationship, because this change is not meant to replace them.
    package func rearrange(_ objects: [ManagedObject], ofRelationshipAt index: Int) throws {
        let relationship = entity.relationships[index]
        for object in objects { try requireKind(object, relationship) }
        try context.grouped {
            let list = try list(relationship)
            let start = zip(list.objects, objects).prefix { $0 === $1 }.count
            let rest = min(list.objects.count, objects.count) - start
            let end = zip(list.objects.reversed(), objects.reversed()).prefix(rest).prefix { $0 === $1 }.count
            let range = start..<list.objects.count - end
            let others = list.lastPlaces(of: Array(objects[start..<objects.count - end]), replacing: range) { $0 }
            try replace(RelatedRun(list, range), with: others, relationship)
        }
    }

    /// Inserts an object into an ordered relationship at an index.
    ///
    /// If the relationship already contains it, it is moved.
    ///
    /// - Parameters:
    ///   - object: An object of the destination entity or one of its children.
    ///   - name: The relationship's name.
    ///   - index: The index, from 0 to the number of the other objects.
    /// - Throws: `StoreError` with the code `unsupported` if the relationship is not ordered, with
    ///   the code `invalid-value` if the index is out of range, or with the code `unknown-attribute`,
    ///   `wrong-type`, or `read-only`.
    public func insert(_ object: ManagedObject, into name: String, at index: Int) throws {
        let relationship = try relationship(name, isToMany: true)
        try requireKind(object, relationship)
        guard relationship.description.isOrdered else {
            throw StoreError(.unsupported, "it is not ordered; use add(_:to:)", entity: entity.name, attribute: name)
        }
        let list = try list(relationship)
        let own = list.index(of: object)
        let count = list.objects.count - (own == nil ? 0 : 1)
        guard (0...count).contains(index) else {
            let message = "the index \(index) is out of range for \(count.counted("object"))"
            throw StoreError(.invalidValue, message, entity: entity.name, attribute: name, object: id)
        }
        guard own != index else { return }
        // The index, among all objects, of the object that it is inserted before.
        let place = own.map { $0 < index ? index + 1 : index } ?? index
        try context.grouped { try replace(RelatedRun(list, place..<place), with: [object], relationship) }
    }

    /// Replaces a range of a relationship's objects.
    ///
    /// - Parameters:
    ///   - list: The list as the caller knows it.
    ///   - range: The range to replace.
    ///   - index: The position of the relationship.
    ///   - others: Returns the replacements, and may change the relationship itself.
    /// - Throws: `StoreError`, as ``setObjects(_:for:)`` does, and errors thrown by `others`.
    package func replace(
        _ list: RelatedList,
        _ range: Range<Int>,
        ofRelationshipAt index: Int,
        with others: () throws -> [ManagedObject]
    ) throws {
        let relationship = entity.relationships[index]
        let run = RelatedRun(list, range)
        try context.grouped {
            let others = try others()
            for object in others { try requireKind(object, relationship) }
            try replace(run, with: others, relationship)
        }
    }

    /// Adds an object at the end of a relationship's list.
    ///
    /// The result is the same as that of ``replace(_:_:ofRelationshipAt:with:)`` for the empty range at the end, at
    /// less cost.
    ///
    /// - Parameters:
    ///   - list: The list as the caller knows it.
    ///   - index: The position of the relationship.
    ///   - make: Creates or finds the object. It can change the relationship itself.
    /// - Throws: `StoreError`, as ``setObjects(_:for:)`` does, and any error that `make` throws.
    package func append(
        to list: RelatedList,
        ofRelationshipAt index: Int,
        _ make: () throws -> ManagedObject
    ) throws {
        let relationship = entity.relationships[index]
        let end = list.objects.endIndex
        let (run, changeCount) = (RelatedRun(list, end..<end), list.changeCount)
        try context.grouped {
            let object = try make()
            try requireKind(object, relationship)
            guard list.changeCount == changeCount, !list.contains(object), hasRoom(behind: run, relationship) else {
                return try replace(run, with: [object], relationship)
            }
            try put(object, relationship, at: nil)
        }
    }

    /// Returns the list of a relationship that is about to be changed.
    ///
    /// The list is kept until the changes are saved or discarded.
    package func changingList(ofRelationshipAt index: Int) throws -> RelatedList {
        try list(entity.relationships[index], isChanging: true)
    }

    /// Returns the list of a relationship, and whether it is kept.
    package func list(ofRelationshipAt index: Int) throws -> (list: RelatedList, isKept: Bool) {
        let list = try list(entity.relationships[index])
        return (list, isKept(list, ofRelationshipAt: index))
    }

    package func isKept(_ list: RelatedList, ofRelationshipAt index: Int) -> Bool {
        lists[index] === list
    }

    private func relationship(_ name: String, isToMany: Bool) throws(StoreError) -> StoredRelationship {
        let relationship = try entity.relationship(name)
        guard relationship.description.isToMany == isToMany else { throw wrongCount(name, isToMany: isToMany) }
        return relationship
    }
}
