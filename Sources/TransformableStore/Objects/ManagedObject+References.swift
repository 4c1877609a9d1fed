internal import Transformable

extension ManagedObject {
    func requireKind(_ object: ManagedObject?, _ relationship: StoredRelationship) throws(StoreError) {
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
    func lead(_ relationship: StoredRelationship, to object: ManagedObject?, at position: Int64? = nil) throws {
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
    func put(_ object: ManagedObject, _ relationship: StoredRelationship, at position: Int64?) throws {
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

    func remove(_ object: ManagedObject, _ relationship: StoredRelationship) throws {
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
    func renumber(_ objects: [ManagedObject], _ relationship: StoredRelationship) throws {
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
