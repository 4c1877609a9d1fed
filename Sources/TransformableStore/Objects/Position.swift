/// Computes the positions of objects in an order, with enough space between neighbors to insert others.
enum Position {
    static let step: Int64 = 1 << 16

    /// Returns a position between two others, or `nil` if there is none left.
    static func between(_ before: Int64?, _ after: Int64?) -> Int64? {
        guard after == nil else { return positions(1, between: before, after)?.first }
        let (next, overflows) = (before ?? 0).addingReportingOverflow(step)
        return overflows ? nil : next
    }

    /// Returns ascending positions between two others, as far apart as possible, or `nil` if there are too few.
    ///
    /// - Parameters:
    ///   - count: The number of positions, at least 1.
    ///   - before: The lower bound, or `nil` if there is none.
    ///   - after: The upper bound, or `nil` if there is none.
    ///   - room: The minimum distance between positions.
    /// - Returns: The positions.
    static func positions(
        _ count: Int,
        between before: Int64?,
        _ after: Int64?,
        room: Int64 = 1
    ) -> [Int64]? {
        let count = Int64(count)
        var distance = step
        if let before, let after {
            let (gap, overflows) = after.subtractingReportingOverflow(before)
            guard !overflows, gap / (count + 1) >= room else { return nil }
            distance = gap / (count + 1)
        }
        let (span, isLong) = distance.multipliedReportingOverflow(by: count)
        guard
            let start = before ?? after.flatMap({ subtract(span + distance, from: $0) })
                ?? (after == nil ? 0 : nil)
        else { return nil }
        guard !isLong, !start.addingReportingOverflow(span).overflow else { return nil }
        return (1...count).map { start + $0 * distance }
    }

    private static func subtract(_ span: Int64, from position: Int64) -> Int64? {
        let (start, overflows) = position.subtractingReportingOverflow(span)
        return overflows ? nil : start
    }
}

extension ManagedObject {
    /// Returns the next position for an object whose to-one relationship refers to this object.
    func nextPosition(of object: ManagedObject, before relationship: StoredRelationship) throws -> Int64? {
        try relationship.inverse.map { try nextPosition(of: object, entity.relationship($0.name)) }
    }

    /// Returns the position after the last one, for an object that is being added.
    func nextPosition(of object: ManagedObject, _ relationship: StoredRelationship) throws -> Int64 {
        if context.isEditing { context.links.forgetPositions(before: context.store.commitCount) }
        let key = PositionKey(self, relationship)
        let last = try context.links[lastPosition: key] ?? lastPosition(besides: object, relationship)
        guard let next = Position.between(last, nil) else { throw noPositions(relationship) }
        context.links[lastPosition: key] = next
        return next
    }

    private func noPositions(_ relationship: StoredRelationship) -> StoreError {
        StoreError(
            .limitExceeded,
            "there are no more positions; set all of its objects again",
            entity: entity.name,
            attribute: relationship.name,
            object: id
        )
    }

    /// Returns the last position that was assigned, if it is known.
    func lastPosition(known relationship: StoredRelationship) -> Int64? {
        context.links[lastPosition: PositionKey(self, relationship)]
    }

    func forgetLastPosition(_ relationship: StoredRelationship) {
        context.links[lastPosition: PositionKey(self, relationship)] = nil
    }

    /// Returns the position of the last object besides the one that is being added.
    private func lastPosition(besides added: ManagedObject, _ relationship: StoredRelationship) throws -> Int64? {
        guard let list = keptList(relationship) else {
            let last = try listed(relationship).last { $0.number != added.number || $0.entity !== added.entity }
            guard let last else { return nil }
            return try last.position ?? positionRest(of: list(relationship), besides: added, relationship)
        }
        guard let last = list.objects.last(where: { $0 !== added }) else { return nil }
        return try list.position(last) ?? positionRest(of: list, besides: added, relationship)
    }

    /// Gives positions to the objects that have none, in their order, and returns the last position.
    ///
    /// Neither a migration that orders a relationship nor a bulk insertion gives any. Such objects come last, so that
    /// an object with a position would be before them.
    private func positionRest(
        of list: RelatedList,
        besides added: ManagedObject,
        _ relationship: StoredRelationship
    ) throws -> Int64? {
        let others = list.objects.filter { $0 !== added }
        let last = others.lazy.compactMap(list.position).last
        let rest = others.filter { list.position($0) == nil }
        guard let positions = Position.positions(rest.count, between: last, nil) else {
            throw noPositions(relationship)
        }
        for (object, position) in zip(rest, positions) { try put(object, relationship, at: position) }
        return positions.last
    }
}
