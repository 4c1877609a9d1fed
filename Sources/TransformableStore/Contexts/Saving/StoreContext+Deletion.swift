extension StoreContext {
    /// Applies the delete rules of everything that is about to be deleted: cascades deletions and clears references.
    ///
    /// If `again` is `true`, also applies the rules of objects that were deleted earlier, because others may refer to
    /// them now.
    func followDeleteRules(again: Bool = false) throws {
        if again { for object in work.changed where object.state == .deleted { work.noteDeletion(object) } }
        guard !undoLog.isFollowingRules, work.awaitsDeleteRules else { return }
        try readingTogether {
            try applyingRules { [work] in
                work.nextDeleted
            } _: { doomed in
                while let object = work.takeRejected() { try detach(object, evenIfDenied: true) }
                // Cascades append to the list.
                while let object = work.takeDeleted() {
                    // A deletion that has failed is still in the list.
                    guard schema.hasRelationships, object.isDeleted else { continue }
                    doomed.begin(object)
                    for other in try object.cascading() { try delete(other) }
                    try detach(object, evenIfDenied: object.isTakenBack)
                }
            }
        }
    }

    /// Runs a closure that reads for one object after the other.
    ///
    /// Borrowing a server's connection costs round trips, so a context for editing keeps one. Hooks, and classes that are
    /// told of fetches, may need one of their own.
    func readingTogether(_ body: () throws -> Void) throws {
        guard isEditing, connection.isPipelined, store.hooks.isEmpty,
            !schema.entities.contains(where: \.tellsOfFetches)
        else { return try body() }
        try connected { _ in try body() }
    }

    /// Calls a closure that applies delete rules to objects in turn, and reads what leads to many of them at a time.
    private func applyingRules(
        _ upcoming: @escaping () -> [ManagedObject],
        _ body: (DoomedRows) throws -> Void
    ) rethrows {
        let doomed = DoomedRows(upcoming)
        undoLog.isFollowingRules = true
        links.doomed = doomed
        defer {
            undoLog.isFollowingRules = false
            links.doomed = nil
        }
        try body(doomed)
    }

    /// Runs the hooks of an object that is about to be deleted, and of all objects that are deleted along with it,
    /// while all relationships are still intact.
    func prepareDeletion(of object: ManagedObject) throws {
        guard !store.hooks.isEmpty else { return }
        var doomed = [object]
        var index = 0
        try hookState.preparing {
            while index < doomed.count {
                let next = doomed[index]
                index += 1
                if try prepare(next) { doomed += try next.cascading() }
            }
        }
    }

    /// Runs the hooks of one object unless they have run, and returns whether the object is to be deleted.
    private func prepare(_ object: ManagedObject) throws -> Bool {
        guard !object.isDeleted, hookState.prepare(object) else { return false }
        try hookState.showingDeleted { try runHooks(\.prepareForDeletion, of: object) }
        return !object.isDeleted
    }

    /// Clears the references to an object, in columns and in pairs, except for those that deny its deletion.
    private func detach(_ object: ManagedObject, evenIfDenied isForced: Bool) throws {
        // An editing context has a connection only as long as it reads.
        let (references, pairs) = try connected { _ in
            try (
                referencesToClear(to: object, evenIfDenied: isForced), pairsToClear(of: object, evenIfDenied: isForced)
            )
        }
        // There, an object is read before a change that can be undone.
        if isEditing { try prefetch(references.map(\.owner)) }
        let owners = references.filter { !$0.owner.isDeleted }
        if !owners.isEmpty {
            dropLists()
            links.forgetPositions()
        }
        // The other side of a relationship that is its own inverse is being deleted.
        try linking { for (owner, attribute) in owners { try owner.setReference(nil, attribute) } }
        for pair in pairs { try removePair(pair) }
    }

    /// Returns the objects whose references lead to an object, along with the references' columns.
    private func referencesToClear(
        to object: ManagedObject,
        evenIfDenied isForced: Bool
    ) throws -> [(owner: ManagedObject, attribute: StoredAttribute)] {
        try schema.references(to: object.entity)
            .flatMap { index, attribute -> [(owner: ManagedObject, attribute: StoredAttribute)] in
                let entity = schema.entities[index]
                guard isForced || !schema.keepsReferences(to: object.entity, by: attribute, of: entity) else {
                    return []
                }
                return try referrers(to: object, by: attribute, of: entity).filter { $0 !== object }
                    .map { ($0, attribute) }
            }
    }

    private func pairsToClear(of object: ManagedObject, evenIfDenied isForced: Bool) throws -> [PairEdits.Key] {
        let denying = object.entity.relationships.filter { $0.description.deleteRule == .deny }.flatMap(\.parts)
        return try schema.pairs(with: object.entity)
            .flatMap { side -> [PairEdits.Key] in
                let isDenied = denying.contains { $0.storage == .pairs(table: side.table, own: side.own) }
                return try isForced || !isDenied ? pairsToClear(of: object, side.table, own: side.own) : []
            }
    }

    private func pairsToClear(of object: ManagedObject, _ table: TableName, own: PairSide) throws -> [PairEdits.Key] {
        var numbers = Set(work.pairs.edits(table, own: own, object.number).filter(\.edit.isPresent).map(\.other))
        let (column, visible) = (own.column.description, schema.visiblePairs(table))
        let rows = try referringRows([own.opposite.column.description], in: visible, by: column, to: object)
        for row in rows { numbers.insert(row.integer(0)) }
        return numbers.map { PairEdits.Key(table, own: own, object.number, $0) }
    }

    /// Refuses to delete objects that others depend on.
    ///
    /// - Throws: `StoreError` with the code `deletion-denied`, which names the objects in the way.
    func enforceDenials() throws {
        guard schema.hasRelationships else { return }
        let objects = work.changed.filter {
            $0.isDeleted && !$0.isTakenBack && !$0.isGoneElsewhere && !$0.denials.isEmpty
        }
        guard !objects.isEmpty else { return }
        var count = 0
        try readingTogether {
            try applyingRules {
                Array(objects[count...].prefix(DoomedRows.window))
            } _: { doomed in
                for object in objects {
                    count += 1
                    doomed.begin(object)
                    try enforceDenials(of: object)
                }
            }
        }
    }

    private func enforceDenials(of object: ManagedObject) throws {
        for relationship in object.denials {
            let others = try object.leaving(relationship)
            guard others.isEmpty else { throw Self.denial(of: object, relationship, others) }
            // The object it led to is deleted as well, or no longer exists.
            for part in relationship.parts {
                guard case .pairs(let table, let own) = part.storage else { continue }
                for pair in try pairsToClear(of: object, table, own: own) { try removePair(pair) }
            }
        }
    }

    private static func denial(
        of object: ManagedObject,
        _ relationship: StoredRelationship,
        _ others: [ManagedObject]
    ) -> StoreError {
        let list = others.prefix(10).map(\.id.description).joined(separator: ", ")
        let all = others.count > 10 ? "\(list), and \(others.count - 10) more" : list
        let way = "delete these first, or remove them from the relationship"
        return StoreError(
            .deletionDenied,
            "the object cannot be deleted while it has related objects: \(all); \(way)",
            entity: object.entity.name,
            attribute: relationship.name,
            object: object.id
        )
    }

    /// Checks whether an object could be deleted, along with everything that its deletion cascades to.
    ///
    /// Nothing is changed.
    ///
    /// - Parameter object: The object.
    /// - Throws: `StoreError` with the code `deletion-denied`, which names the objects that prevent the
    ///   deletion, and errors thrown by hooks.
    public func validateForDelete(_ object: ManagedObject) throws {
        var doomed = [object]
        var seen: Set<ObjectIdentifier> = [ObjectIdentifier(object)]
        var index = 0
        while index < doomed.count {
            let next = doomed[index]
            index += 1
            doomed += try next.cascading().filter { seen.insert(ObjectIdentifier($0)).inserted }
        }
        for object in doomed {
            for relationship in object.denials {
                let others = try object.leaving(relationship).filter { !seen.contains(ObjectIdentifier($0)) }
                guard others.isEmpty else { throw Self.denial(of: object, relationship, others) }
            }
            try runHooks(\.validateForDelete, of: object)
        }
    }
}

extension ManagedObject {
    /// The relationships whose objects deny the deletion of this one.
    fileprivate var denials: [StoredRelationship] {
        entity.relationships.filter { $0.description.deleteRule == .deny }
    }

    /// Whether another context has deleted the row, which nothing can deny anymore.
    ///
    /// An insertion that was undone or deleted never had a row.
    fileprivate var isGoneElsewhere: Bool { state == .gone && (isFault || row != .empty) }

    /// Returns the objects that are deleted along with this one because of its own relationships.
    fileprivate func cascading() throws -> [ManagedObject] {
        guard !isTakenBack else { return [] }
        let cascades = entity.relationships.filter { $0.description.deleteRule == .cascade }
        let others = try cascades.flatMap { try leaving($0) }
        try context.prefetch(others)
        return others
    }

    /// Returns the objects in a relationship that are not deleted themselves, even if this object is marked as deleted.
    fileprivate func leaving(_ relationship: StoredRelationship) throws -> [ManagedObject] {
        try withoutDeletion { try related(relationship).filter { $0 !== self && !$0.isDeleted } }
    }
}
