internal import Transformable

extension ManagedObject {
    /// Gives the object that a relationship to one leads to.
    ///
    /// - Parameter name: The relationship's name.
    /// - Returns: The object; nil if it leads nowhere.
    /// - Throws: ``StoreError`` with ``StoreError/Code/unknownAttribute``, or ``StoreError/Code/wrongType`` for one
    ///   to many.
    public func object(_ name: String) throws -> ManagedObject? {
        let relationship = try relationship(name, isToMany: false)
        return try related(relationship).first
    }

    /// Gives the objects that a relationship to many leads to: in their order if it is ordered, else in that of
    /// their numbers.
    ///
    /// They are faults: ``StoreContext/prefetch(_:)`` reads many rows at once.
    ///
    /// - Parameter name: The relationship's name.
    /// - Returns: The objects.
    /// - Throws: ``StoreError`` with ``StoreError/Code/unknownAttribute``, or ``StoreError/Code/wrongType`` for one
    ///   to one.
    public func objects(_ name: String) throws -> [ManagedObject] {
        let relationship = try relationship(name, isToMany: true)
        return try related(relationship)
    }

    /// Lets a relationship to one lead to an object; the other side follows.
    ///
    /// - Parameters:
    ///   - object: The object, of the relationship's destination or a child of it; nil lets it lead nowhere.
    ///   - name: The relationship's name.
    /// - Throws: ``StoreError``: ``StoreError/Code/unknownAttribute``, ``StoreError/Code/wrongType`` or
    ///   ``StoreError/Code/readOnly``.
    public func setObject(_ object: ManagedObject?, for name: String) throws {
        let relationship = try relationship(name, isToMany: false)
        try requireKind(object, relationship)
        try context.grouped {
            // Whoever leads to the object from here, or there from elsewhere, does so no longer.
            if relationship.isOwnInverse {
                for other in try related(relationship) where other !== object {
                    try other.lead(other.entity.relationship(name), to: nil)
                }
            }
            if let object, let inverse = relationship.inverse, !inverse.isToMany, relationship.hasColumn {
                let back = try object.entity.relationship(inverse.name)
                for holder in try object.related(back) where holder !== self {
                    try holder.lead(holder.entity.relationship(name), to: nil)
                }
            }
            guard !relationship.hasColumn, let inverse = relationship.inverse else {
                try lead(relationship, to: object)
                if relationship.isOwnInverse { try object.map { try $0.lead($0.entity.relationship(name), to: self) } }
                return
            }
            for other in try related(relationship) where other !== object {
                try other.lead(other.entity.relationship(inverse.name), to: nil)
            }
            try object.map { try $0.lead($0.entity.relationship(inverse.name), to: self) }
        }
        context.resolve(place(ofRelationship: relationship.index))
    }

    /// Adds an object to those that a relationship to many leads to, as the last one; the other side follows.
    ///
    /// - Parameters:
    ///   - object: The object, of the relationship's destination or a child of it; one that is there already
    ///     changes nothing.
    ///   - name: The relationship's name.
    /// - Throws: ``StoreError``: ``StoreError/Code/unknownAttribute``, ``StoreError/Code/wrongType`` or
    ///   ``StoreError/Code/readOnly``.
    public func add(_ object: ManagedObject, to name: String) throws {
        let relationship = try relationship(name, isToMany: true)
        try requireKind(object, relationship)
        try context.grouped { try put(object, relationship, at: nil) }
    }

    /// Removes an object from those that a relationship to many leads to; the other side follows.
    ///
    /// - Parameters:
    ///   - object: The object; one that is not there changes nothing.
    ///   - name: The relationship's name.
    /// - Throws: ``StoreError``: ``StoreError/Code/unknownAttribute``, ``StoreError/Code/wrongType`` or
    ///   ``StoreError/Code/readOnly``.
    public func remove(_ object: ManagedObject, from name: String) throws {
        let relationship = try relationship(name, isToMany: true)
        try requireKind(object, relationship)
        try context.grouped { try remove(object, relationship) }
    }

    /// Lets a relationship to many lead to some objects and no others; the other sides follow.
    ///
    /// - Parameters:
    ///   - objects: The objects, each once; if the relationship is ordered, in this order.
    ///   - name: The relationship's name.
    /// - Throws: ``StoreError``: ``StoreError/Code/unknownAttribute``, ``StoreError/Code/wrongType`` or
    ///   ``StoreError/Code/readOnly``.
    public func setObjects(_ objects: [ManagedObject], for name: String) throws {
        let relationship = try relationship(name, isToMany: true)
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
        context.resolve(place(ofRelationship: relationship.index))
    }

    /// Puts an object at a place among those that an ordered relationship leads to; one that is there moves.
    ///
    /// - Parameters:
    ///   - object: The object, of the relationship's destination or a child of it.
    ///   - name: The relationship's name.
    ///   - index: The place, from 0 to the number of the other objects.
    /// - Throws: ``StoreError``: ``StoreError/Code/unsupported`` for a relationship without order,
    ///   ``StoreError/Code/invalidValue`` for a place that there is not, ``StoreError/Code/unknownAttribute``,
    ///   ``StoreError/Code/wrongType`` or ``StoreError/Code/readOnly``.
    public func insert(_ object: ManagedObject, into name: String, at index: Int) throws {
        let relationship = try relationship(name, isToMany: true)
        try requireKind(object, relationship)
        guard relationship.description.isOrdered else {
            throw StoreError(.unsupported, "it has no order; use add(_:to:)", entity: entity.name, attribute: name)
        }
        let list = try list(relationship)
        let own = list.index(of: object)
        let count = list.objects.count - (own == nil ? 0 : 1)
        guard (0...count).contains(index) else {
            let message = "there is no place \(index) among \(count.counted("object"))"
            throw StoreError(.invalidValue, message, entity: entity.name, attribute: name, object: id)
        }
        guard own != index else { return }
        // The place of the object that it comes before, among all of them.
        let place = own.map { $0 < index ? index + 1 : index } ?? index
        try context.grouped { try replace(RelatedRun(list, place..<place), with: [object], relationship) }
    }

    /// Lets a run of a relationship's objects give way to others.
    ///
    /// - Parameters:
    ///   - list: The list as the caller knows it.
    ///   - range: Which of its objects give way.
    ///   - index: The place of the relationship.
    ///   - others: Makes or finds what comes in their place; may change the relationship itself.
    /// - Throws: ``StoreError``, as ``setObjects(_:for:)`` does, and what `others` throws.
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

    /// The list of a relationship that is about to be changed; it is kept until the changes are saved or given up.
    package func changingList(ofRelationshipAt index: Int) throws -> RelatedList {
        try list(entity.relationships[index], isChanging: true)
    }

    /// The list of a relationship, and whether it is kept.
    package func list(ofRelationshipAt index: Int) throws -> (list: RelatedList, isKept: Bool) {
        let list = try list(entity.relationships[index])
        return (list, isKept(list, ofRelationshipAt: index))
    }

    package func isKept(_ list: RelatedList, ofRelationshipAt index: Int) -> Bool {
        !lists.isEmpty && lists[index] === list
    }

    private func relationship(_ name: String, isToMany: Bool) throws(StoreError) -> StoredRelationship {
        let relationship = try entity.relationship(name)
        guard relationship.description.isToMany == isToMany else {
            let kind = isToMany ? "one object; use object(_:)" : "many objects; use objects(_:)"
            throw StoreError(.wrongType, "it leads to \(kind)", entity: entity.name, attribute: name)
        }
        return relationship
    }
}
