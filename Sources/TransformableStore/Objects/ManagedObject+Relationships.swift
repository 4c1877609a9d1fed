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
                for other in try related(relationship) where other !== object { try other.lead(relationship, to: nil) }
            }
            if let object, let inverse = relationship.inverse, !inverse.isToMany, relationship.hasColumn {
                let back = try object.entity.relationship(inverse.name)
                for holder in try object.related(back) where holder !== self {
                    try holder.lead(holder.entity.relationship(name), to: nil)
                }
            }
            guard !relationship.hasColumn, let inverse = relationship.inverse else {
                try lead(relationship, to: object)
                if relationship.isOwnInverse { try object?.lead(relationship, to: self) }
                return
            }
            for other in try related(relationship) where other !== object {
                try other.lead(other.entity.relationship(inverse.name), to: nil)
            }
            try object.map { try $0.lead($0.entity.relationship(inverse.name), to: self) }
        }
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
            let wanted = Set(objects.map(ObjectIdentifier.init))
            let earlier = try related(relationship)
            for object in earlier where !wanted.contains(ObjectIdentifier(object)) { try remove(object, relationship) }
            guard relationship.description.isOrdered else {
                for object in objects { try put(object, relationship, at: nil) }
                return
            }
            guard objects != earlier else { return }
            try renumber(objects, relationship)
        }
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
        let others = try listed(relationship).filter { $0.number != object.number || $0.entity !== object.entity }
        guard (0...others.count).contains(index) else {
            let message = "there is no place \(index) among \(others.count) objects"
            throw StoreError(.invalidValue, message, entity: entity.name, attribute: name, object: id)
        }
        try context.grouped {
            let before = index > 0 ? others[index - 1].position : nil
            let after = index < others.count ? others[index].position : nil
            let isSparse = (before != nil || index == 0) && (after != nil || index == others.count)
            if isSparse, let position = Position.between(before, after) {
                return try put(object, relationship, at: position)
            }
            var list = others.map { context.fault($0.entity, $0.number) }
            list.insert(object, at: index)
            try renumber(list, relationship)
        }
    }
}

// MARK: - Reading

/// An object that a relationship leads to, before it is made.
struct ListedObject {
    let entity: StoredEntity
    let number: Int64
    var version: Int64?
    var position: Int64?
}

extension ManagedObject {
    private func relationship(_ name: String, isToMany: Bool) throws(StoreError) -> StoredRelationship {
        let relationship = try entity.relationship(name)
        guard relationship.description.isToMany == isToMany else {
            let kind = isToMany ? "one object; use object(_:)" : "many objects; use objects(_:)"
            throw StoreError(.wrongType, "it leads to \(kind)", entity: entity.name, attribute: name)
        }
        return relationship
    }

    /// The number in a reference's column, as it is in memory.
    func reference(_ attribute: StoredAttribute) throws -> Int64? {
        let slot = try slot(attribute)
        if let failure = slot.failure { throw failure }
        return (slot as? ValueSlot<Int64>)?.value
    }

    /// The objects that a relationship leads to: what the file says, as changed in memory.
    func related(_ relationship: StoredRelationship) throws -> [ManagedObject] {
        guard relationship.hasColumn else {
            return try listed(relationship)
                .map { listed in
                    guard let version = listed.version else { return context.fault(listed.entity, listed.number) }
                    return context.fault(listed.entity, listed.number, version: version)
                }
        }
        for part in relationship.parts {
            guard case .column(let index) = part.storage, let number = try reference(entity.attributes[index]) else {
                continue
            }
            return try context.objectIfAny(ObjectID(entity: part.destination, number: number)).map { [$0] } ?? []
        }
        return []
    }

    /// The same for references that lie elsewhere, in their order.
    func listed(_ relationship: StoredRelationship) throws -> [ListedObject] {
        var list: [ListedObject] = []
        for part in relationship.parts {
            let destination = try context.schema.entity(part.destination)
            switch part.storage {
            case .column: break
            case .inverseColumn(let column):
                list += try context.listed(self, by: destination.attribute(column), of: destination, relationship)
            case .pairs(let table, let own, let other):
                list += try paired(table, own: own, other: other, destination, relationship.description.isOrdered)
            }
        }
        list.removeAll { context.registered($0.entity, $0.number)?.isDeleted == true }
        return list.sorted { left, right in
            (left.position ?? .max, left.entity.index, left.number)
                < (right.position ?? .max, right.entity.index, right.number)
        }
    }

    private func paired(
        _ table: String,
        own: String,
        other: String,
        _ destination: StoredEntity,
        _ isOrdered: Bool
    ) throws -> [ListedObject] {
        let position = StoredRelationship.positionColumn(own)
        var found: [Int64: Int64?] = [:]
        if state != .inserted {
            let columns = isOrdered ? "\(other), \(position)" : other
            let sql = "SELECT \(columns) FROM \(SQL.main(table)) WHERE \(own) = ?"
            for row in try context.rows(sql, [.integer(number)], count: isOrdered ? 2 : 1) {
                found.updateValue(isOrdered && !row.isNull(1) ? row.integer(1) : nil, forKey: row.integer(0))
            }
        }
        for (number, edit) in context.pairs.edits(table, own: own, number) {
            found[number] = nil
            if edit.isPresent { found.updateValue(edit.positions[position], forKey: number) }
        }
        return found.map { ListedObject(entity: destination, number: $0.key, position: $0.value) }
    }
}

extension StoreContext {
    /// The objects whose reference leads to an object, those included that are not written yet.
    fileprivate func listed(
        _ object: ManagedObject,
        by attribute: StoredAttribute,
        of entity: StoredEntity,
        _ relationship: StoredRelationship? = nil
    ) throws -> [ListedObject] {
        let isOrdered = relationship?.description.isOrdered == true
        let place = try isOrdered ? relationship?.inverse.flatMap { try entity.relationship($0.name).position } : nil
        let position = place.map { entity.attributes[$0] }
        var found: [Int64: ListedObject] = [:]
        if object.state != .inserted {
            let columns = ["\"_id\"", "\"_version\""] + (position.map { [SQL.quoted($0.name)] } ?? [])
            let list = columns.joined(separator: ", ")
            let sql = "SELECT \(list) FROM \(SQL.main(entity.table)) WHERE \(SQL.quoted(attribute.name)) = ?"
            for row in try rows(sql, [.integer(object.number)], count: columns.count) {
                var entry = ListedObject(entity: entity, number: row.integer(0), version: row.integer(1))
                if position != nil, !row.isNull(2) { entry.position = row.integer(2) }
                found[entry.number] = entry
            }
        }
        for pending in changed where pending.entity === entity {
            found[pending.number] = nil
            guard !pending.isDeleted, try pending.reference(attribute) == object.number else { continue }
            let position = try position.flatMap(pending.reference)
            found[pending.number] = ListedObject(entity: entity, number: pending.number, position: position)
        }
        return Array(found.values)
    }

    /// The objects whose reference leads to an object, those included that are not written yet.
    func referrers(
        to object: ManagedObject,
        by attribute: StoredAttribute,
        of entity: StoredEntity
    ) throws -> [ManagedObject] {
        try listed(object, by: attribute, of: entity).map { fault(entity, $0.number) }
            .filter { !$0.isDeleted }
            .sorted { $0.number < $1.number }
    }
}

// MARK: - Writing

extension ManagedObject {
    private func requireKind(_ object: ManagedObject?, _ relationship: StoredRelationship) throws(StoreError) {
        try context.requireWritable()
        guard object?.context ?? context === context, object?.isDeleted != true, !isDeleted else {
            throw StoreError(
                .misuse,
                "the object belongs to another context, or has been deleted",
                entity: entity.name,
                attribute: relationship.name,
                object: object?.id ?? id
            )
        }
        guard let object, relationship.part(object.entity.name) == nil else { return }
        throw StoreError(
            .wrongType,
            "it leads to objects of \(relationship.destination), not of \(object.entity.name)",
            entity: entity.name,
            attribute: relationship.name
        )
    }

    /// Lets a reference in the object's own columns lead to an object.
    private func lead(_ relationship: StoredRelationship, to object: ManagedObject?, at position: Int64? = nil) throws {
        var isMoved = position != nil
        for part in relationship.parts {
            guard case .column(let index) = part.storage else { continue }
            let number = object.flatMap { $0.entity.name == part.destination ? $0.number : nil }
            guard try reference(entity.attributes[index]) != number else { continue }
            try setReference(number, entity.attributes[index])
            isMoved = true
        }
        guard isMoved, let place = relationship.position else { return }
        let last = try object.flatMap { object in
            try position ?? relationship.inverse.map { try object.nextPosition(object.entity.relationship($0.name)) }
        }
        try setReference(last, entity.attributes[place])
    }

    func setReference(_ number: Int64?, _ attribute: StoredAttribute) throws {
        try setValue(any: number, for: attribute.name)
    }

    /// Adds an object, at a position or as the last one.
    private func put(_ object: ManagedObject, _ relationship: StoredRelationship, at position: Int64?) throws {
        guard case .pairs(let table, let own, _)? = relationship.part(object.entity.name)?.storage else {
            guard let inverse = relationship.inverse else { return }
            return try object.lead(object.entity.relationship(inverse.name), to: self, at: position)
        }
        let key = PairEdits.Key(table, own: own, number, object.number)
        let isOrdered = relationship.description.isOrdered
        if position == nil, isOrdered || context.isEditing, try isPaired(object, relationship) { return }
        try put(key, StoredRelationship.positionColumn(own), isOrdered ? position ?? nextPosition(relationship) : nil)
        guard let inverse = relationship.inverse, position == nil || relationship.isOwnInverse else { return }
        let back = try object.entity.relationship(inverse.name)
        if relationship.isOwnInverse, object !== self {
            guard try !object.isPaired(self, back) else { return }
            let mirrored = PairEdits.Key(table, own: own, object.number, number)
            let last = try isOrdered ? object.nextPosition(back) : nil
            try put(mirrored, StoredRelationship.positionColumn(own), last)
        } else if inverse.isOrdered, !relationship.isOwnInverse {
            let column = StoredRelationship.positionColumn(own == "\"first\"" ? "\"second\"" : "\"first\"")
            try put(key, column, object.nextPosition(back))
        }
    }

    private func put(_ key: PairEdits.Key, _ column: String, _ position: Int64?) throws {
        let earlier = context.pairs[key]
        var edit = earlier ?? PairEdits.Edit(isPresent: true)
        if !edit.isPresent { edit = PairEdits.Edit(isPresent: true) }
        edit.positions[column] = position ?? edit.positions[column]
        context.noteStep(.pair(key, earlier))
        context.pairs[key] = edit
    }

    private func isPaired(_ object: ManagedObject, _ relationship: StoredRelationship) throws -> Bool {
        try listed(relationship).contains { $0.number == object.number && $0.entity === object.entity }
    }

    private func remove(_ object: ManagedObject, _ relationship: StoredRelationship) throws {
        guard case .pairs(let table, let own, _)? = relationship.part(object.entity.name)?.storage else {
            guard let inverse = relationship.inverse else { return }
            let back = try object.entity.relationship(inverse.name)
            guard case .column(let index)? = back.part(entity.name)?.storage,
                try object.reference(object.entity.attributes[index]) == number
            else { return }
            return try object.lead(back, to: nil)
        }
        context.removePair(PairEdits.Key(table, own: own, number, object.number))
        if relationship.isOwnInverse { context.removePair(PairEdits.Key(table, own: own, object.number, number)) }
    }

    /// Gives every object a position anew.
    private func renumber(_ objects: [ManagedObject], _ relationship: StoredRelationship) throws {
        for (index, object) in objects.enumerated() {
            try put(object, relationship, at: (Int64(index) + 1) * Position.step)
        }
        context.lastPositions[PositionKey(object: id, relationship: relationship.name)] = nil
    }

    /// The position after the last one.
    private func nextPosition(_ relationship: StoredRelationship) throws -> Int64 {
        let key = PositionKey(object: id, relationship: relationship.name)
        let last = try context.lastPositions[key] ?? listed(relationship).compactMap(\.position).max()
        guard let next = Position.between(last, nil) else {
            throw StoreError(
                .limitExceeded,
                "the positions have come to their end; set all of its objects anew",
                entity: entity.name,
                attribute: relationship.name,
                object: id
            )
        }
        context.lastPositions[key] = next
        return next
    }
}

extension StoreContext {
    func removePair(_ key: PairEdits.Key) {
        noteStep(.pair(key, pairs[key]))
        pairs[key] = PairEdits.Edit(isPresent: false)
    }
}

/// Where an object stands among others: far enough from its neighbours that some fit between.
enum Position {
    static let step: Int64 = 1 << 16

    /// A position between two; nil if there is none left.
    static func between(_ before: Int64?, _ after: Int64?) -> Int64? {
        guard let before else {
            guard let after else { return step }
            let (position, overflows) = after.subtractingReportingOverflow(step)
            return overflows ? nil : position
        }
        guard let after else {
            let (position, overflows) = before.addingReportingOverflow(step)
            return overflows ? nil : position
        }
        let (gap, overflows) = after.subtractingReportingOverflow(before)
        return overflows || gap < 2 ? nil : before + gap / 2
    }
}
