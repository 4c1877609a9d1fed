extension ManagedObject {
    func requireKind(_ object: ManagedObject?, _ relationship: StoredRelationship) throws(StoreError) {
        try context.requireWritable()
        guard object?.context ?? context === context, object?.isDeleted != true, !isDeleted else {
            throw foreign(object, relationship.name)
        }
        guard let object, relationship.part(object.entity.name) == nil else { return }
        throw unlike(object, relationship.name, relationship.destination)
    }

    /// Sets a reference in the object's own columns.
    func lead(
        _ relationship: StoredRelationship,
        to object: ManagedObject?,
        at position: Int64? = nil
    ) throws {
        let former = context.links.hasLists ? try inverseList(relationship) : nil
        var isMoved = false
        try context.linking {
            for part in relationship.parts {
                guard case .column(let index) = part.storage else { continue }
                let number = object.flatMap { $0.entity.name == part.destination ? $0.number : nil }
                guard try reference(entity.attributes[index]) != number else { continue }
                try setReference(number, entity.attributes[index])
                isMoved = true
            }
        }
        guard isMoved || position != nil else { return }
        // It may have been set from the other side, which replaces a refused change. Changes of a list that it only
        // leaves, or in which it only moves, do not.
        if isMoved, object != nil { context.resolve(place(ofRelationship: relationship.index)) }
        former?.remove(self)
        let last = try object.flatMap { object in
            try relationship.position == nil ? nil : position ?? object.nextPosition(of: self, before: relationship)
        }
        if let place = relationship.position {
            try context.linking { try setReference(last, entity.attributes[place]) }
        }
        guard let object, let inverse = relationship.inverse, inverse.isToMany, !isDeleted else {
            return
        }
        try object.inverseList(named: inverse.name)?.put(self, at: last)
    }

    func setReference(_ number: Int64?, _ attribute: StoredAttribute) throws {
        try _setValue(number, at: attribute.index)
    }

    /// Adds an object at a position, or at the end.
    func put(_ object: ManagedObject, _ relationship: StoredRelationship, at position: Int64?) throws {
        guard case .pairs(let table, let own)? = relationship.part(object.entity.name)?.storage else {
            guard let inverse = relationship.inverse else { return }
            return try object.lead(object.entity.relationship(inverse.name), to: self, at: position)
        }
        let isOrdered = relationship.description.isOrdered
        let isBackOrdered = relationship.inverse?.isOrdered == true
        // Without an order and without undo, the file ensures that there is only one pair.
        let mayBeLinked = isOrdered || isBackOrdered || context.isEditing
        let isLinked = try mayBeLinked && isLinked(to: object, relationship)
        guard position != nil || !isLinked else { return }
        var positions: [PairSide: Int64] = [:]
        if isOrdered {
            positions[own] = try position ?? nextPosition(of: object, relationship)
        }
        let key = PairEdits.Key(table, own: own, number, object.number)
        guard !isLinked, let inverse = relationship.inverse else {
            return try context.setPair(key, positions, isLinked: isLinked)
        }
        let back = try object.entity.relationship(inverse.name)
        guard relationship.isOwnInverse else {
            if isBackOrdered { positions[own.opposite] = try object.nextPosition(of: self, back) }
            return try context.setPair(key, positions)
        }
        try context.setPair(key, positions)
        guard object !== self, try !object.isLinked(to: self, back), let mirrored = object.pair(with: self, back) else {
            return
        }
        let last = try isOrdered ? object.nextPosition(of: self, back) : nil
        try context.setPair(mirrored, last.map { [own: $0] } ?? [:])
    }

    func remove(_ object: ManagedObject, _ relationship: StoredRelationship) throws {
        guard case .pairs(let table, let own)? = relationship.part(object.entity.name)?.storage else {
            guard let inverse = relationship.inverse else { return }
            let back = try object.entity.relationship(inverse.name)
            guard case .column(let index)? = back.part(entity.name)?.storage,
                try object.reference(object.entity.attributes[index]) == number
            else { return }
            return try object.lead(back, to: nil)
        }
        try context.removePair(PairEdits.Key(table, own: own, number, object.number))
        guard relationship.isOwnInverse else { return }
        let back = try object.entity.relationship(relationship.name)
        if let mirrored = object.pair(with: self, back) { try context.removePair(mirrored) }
    }

    /// Returns the pair that connects two objects.
    ///
    /// In a family, each combination of two entities has a table of its own.
    private func pair(with object: ManagedObject, _ relationship: StoredRelationship) -> PairEdits.Key? {
        guard case .pairs(let table, let own)? = relationship.part(object.entity.name)?.storage else { return nil }
        return PairEdits.Key(table, own: own, number, object.number)
    }
}

extension StoreContext {
    func removePair(_ key: PairEdits.Key) throws {
        try set(key, PairEdits.Edit(isPresent: false))
    }

    /// Adds a pair, or changes its positions.
    ///
    /// Positions that are not given stay as they are.
    ///
    /// - Parameters:
    ///   - key: The pair.
    ///   - positions: The positions.
    ///   - isLinked: Whether the pair is already there.
    /// - Throws: `StoreError` if the file cannot be read.
    func setPair(_ key: PairEdits.Key, _ positions: [PairSide: Int64], isLinked: Bool = false) throws {
        var edit = PairEdits.Edit(isPresent: true, isStored: isLinked)
        if let earlier = work.pairs[key] {
            if earlier.isPresent { edit = earlier } else if isEditing { edit.isStored = try hasStoredPair(key) }
        }
        edit.positions.merge(positions) { $1 }
        try set(key, edit)
    }

    private func set(_ key: PairEdits.Key, _ edit: PairEdits.Edit) throws {
        noteStep(.pair(key, work.pairs[key]))
        // A pair that was removed and added again is unchanged.
        work.setPair(key, edit.isStored && edit.positions.isEmpty ? nil : edit)
        try relist(key, edit)
    }
}
