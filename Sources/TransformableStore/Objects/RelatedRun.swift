/// A range of the objects in a to-many relationship that others replace.
struct RelatedRun {
    let list: RelatedList
    let objects: [ManagedObject]
    /// The positions of the objects, if the relationship is ordered.
    private let positions: [Int64?]
    /// The objects before and after the range.
    let before: ManagedObject?
    let after: ManagedObject?

    init(_ list: RelatedList, _ range: Range<Int>) {
        self.list = list
        objects = Array(list.objects[range])
        positions = objects.map(list.position)
        before = range.lowerBound > 0 ? list.objects[range.lowerBound - 1] : nil
        after = range.upperBound < list.objects.count ? list.objects[range.upperBound] : nil
    }

    /// Returns positions for a number of objects in place of the range, or `nil` if there is no room.
    fileprivate func positions(_ count: Int) -> [Int64]? {
        let (lower, upper) = (before.map(list.position), after.map(list.position))
        let former = positions.compactMap(\.self)
        guard lower != .some(nil), upper != .some(nil) else { return nil }
        let (first, last) = (lower.flatMap(\.self), upper.flatMap(\.self))
        let bounds = [first].compactMap(\.self) + former + [last].compactMap(\.self)
        // The first objects get the positions of the objects that they replace.
        let isRising = zip(bounds, bounds.dropFirst()).allSatisfy { $0 < $1 }
        if isRising, former.count == positions.count, count == former.count { return former }
        return Position.positions(count, between: first, last)
    }
}

extension ManagedObject {
    // The number of changes to a list from which reading it again costs less than updating it.
    private static let manyChanges = 1000

    /// Replaces a range of a relationship's objects.
    ///
    /// - Parameters:
    ///   - run: The range.
    ///   - others: The objects, without duplicates. Those that are already in the range stay.
    ///   - relationship: The relationship.
    /// - Throws: `StoreError` if objects cannot be changed, or if reading the file fails.
    func replace(_ run: RelatedRun, with others: [ManagedObject], _ relationship: StoredRelationship)
        throws
    {
        let wanted = Set(others.map(ObjectIdentifier.init))
        let removed = run.objects.filter { !wanted.contains(ObjectIdentifier($0)) }
        if max(removed.count, others.count - run.list.objects.count) > Self.manyChanges {
            forgetList(relationship)
        }
        for object in removed { try remove(object, relationship) }
        guard relationship.description.isOrdered else {
            for object in others { try put(object, relationship, at: nil) }
            return
        }
        if try isEnd(run, relationship, others.count) { return try append(others, run, relationship) }
        guard let positions = run.positions(others.count) else {
            return try renumber(others, run, relationship)
        }
        for (object, position) in zip(others, positions) {
            try put(object, relationship, at: position, in: run.list)
        }
        if run.after == nil { forgetLastPosition(relationship) }
    }

    /// Returns a Boolean value that indicates whether the range is empty and at the end, with room for a number of
    /// objects.
    private func isEnd(_ run: RelatedRun, _ relationship: StoredRelationship, _ count: Int) throws
        -> Bool
    {
        guard run.after == nil, run.objects.isEmpty, count > 0 else { return count == 0 }
        return hasRoom(behind: run, relationship, count)
    }

    /// Returns whether there are positions for a number of objects after the object that precedes a run at the end.
    func hasRoom(behind run: RelatedRun, _ relationship: StoredRelationship, _ count: Int = 1) -> Bool {
        guard relationship.description.isOrdered else { return true }
        let last = run.before.map(run.list.position)
        guard last != .some(nil) else { return false }
        let known = lastPosition(known: relationship)
        let highest = last.flatMap(\.self).map { max($0, known ?? $0) } ?? known
        guard count > 1 else { return Position.between(highest, nil) != nil }
        return Position.positions(count, between: highest, nil) != nil
    }

    /// Adds objects at the end.
    private func append(
        _ objects: [ManagedObject],
        _ run: RelatedRun,
        _ relationship: StoredRelationship
    ) throws {
        var last = run.before.flatMap(run.list.position)
        for object in objects {
            guard run.list.contains(object) else {
                try put(object, relationship, at: nil)
                last = lastPosition(known: relationship)
                continue
            }
            // Its own reference may have added it.
            if let position = run.list.position(object), last.map({ $0 < position }) ?? true {
                last = position
            } else {
                last = try nextPosition(of: object, relationship)
                try put(object, relationship, at: last)
            }
        }
    }

    private func put(
        _ object: ManagedObject,
        _ relationship: StoredRelationship,
        at position: Int64,
        in list: RelatedList
    ) throws {
        guard list.position(object) != position else { return }
        try put(object, relationship, at: position)
    }

    /// Assigns new positions to objects, and to as many objects around them as necessary.
    private func renumber(
        _ objects: [ManagedObject],
        _ run: RelatedRun,
        _ relationship: StoredRelationship
    ) throws {
        let excluded = Set((objects + run.objects).map(ObjectIdentifier.init))
        let all = run.list.objects
        let place = run.before.flatMap(run.list.index).map { $0 + 1 } ?? 0
        let before = all[..<place].filter { !excluded.contains(ObjectIdentifier($0)) }
        let whole = before + objects + all[place...].filter { !excluded.contains(ObjectIdentifier($0)) }
        let (range, positions) = Self.window(
            whole,
            around: before.count..<before.count + objects.count,
            run.list
        )
        if range.count > Self.manyChanges { forgetList(relationship) }
        for (object, position) in zip(whole[range], positions) {
            try put(object, relationship, at: position, in: run.list)
        }
        forgetLastPosition(relationship)
    }

    /// Returns the smallest range around some objects that has room for new positions, along with these positions.
    private static func window(
        _ objects: [ManagedObject],
        around core: Range<Int>,
        _ list: RelatedList
    ) -> (Range<Int>, [Int64]) {
        var margin = 32
        while margin < objects.count {
            let range = max(0, core.lowerBound - margin)..<min(objects.count, core.upperBound + margin)
            margin *= 4
            let lower = range.lowerBound > 0 ? list.position(objects[range.lowerBound - 1]) : nil
            let upper = range.upperBound < objects.count ? list.position(objects[range.upperBound]) : nil
            guard (lower == nil) == (range.lowerBound == 0),
                (upper == nil) == (range.upperBound == objects.count)
            else { continue }
            let positions = Position.positions(range.count, between: lower, upper, room: 1 << 8)
            if let positions { return (range, positions) }
        }
        return (objects.indices, objects.indices.map { (Int64($0) + 1) * Position.step })
    }
}
