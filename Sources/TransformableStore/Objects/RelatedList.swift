/// The objects of a to-many relationship, in order.
///
/// A context with changes keeps such lists up to date, so that it does not have to read all objects for each of many
/// changes or reads. The list belongs to the object with the relationship until the context drops all lists.
package final class RelatedList {
    /// The objects, without duplicates.
    package private(set) var objects: [ManagedObject] = []
    /// The same as objects of a program's own class, while they are in use.
    package var representatives: (any RelatedRepresentatives)?
    /// The number of changes to the list.
    package private(set) var changeCount = 0
    private let isOrdered: Bool
    // The objects' positions; empty if the relationship is unordered.
    private var positions: [ObjectIdentifier: Int64?] = [:]

    init(_ objects: [(object: ManagedObject, position: Int64?)], isOrdered: Bool) {
        self.isOrdered = isOrdered
        self.objects = objects.map(\.object)
        guard isOrdered else { return }
        positions = Dictionary(objects.map { (ObjectIdentifier($0.object), $0.position) }) { first, _ in
            first
        }
    }

    /// Returns the position of an object, or `nil` if it has none or is not in the list.
    func position(_ object: ManagedObject) -> Int64? {
        positions[ObjectIdentifier(object)] ?? nil
    }

    func contains(_ object: ManagedObject) -> Bool {
        guard !isOrdered else { return positions[ObjectIdentifier(object)] != nil }
        let index = place(object, nil)
        return index < objects.count && objects[index] === object
    }

    /// Returns the index of an object, or `nil` if it is not in the list.
    package func index(of object: ManagedObject) -> Int? {
        guard contains(object) else { return nil }
        return place(object, position(object))
    }

    /// Returns the sort key of an object: objects with a position first, then by position, entity, and number.
    private func key(_ object: ManagedObject, _ position: Int64?) -> (Int, Int64, Int, Int64) {
        (position == nil ? 1 : 0, position ?? 0, object.entity.index, object.number)
    }

    /// Returns the first index whose object does not sort before another object.
    private func place(_ object: ManagedObject, _ position: Int64?) -> Int {
        let key = key(object, position)
        var range = 0..<objects.count
        // Most objects are added at the end.
        if let last = objects.last, self.key(last, self.position(last)) < key { return objects.count }
        while !range.isEmpty {
            let middle = range.lowerBound + range.count / 2
            let isBefore = self.key(objects[middle], self.position(objects[middle])) < key
            range = isBefore ? middle + 1..<range.upperBound : range.lowerBound..<middle
        }
        return range.lowerBound
    }

    /// Returns the objects of an array that replaces a range, without those that also follow later in the array or
    /// after the range.
    ///
    /// If an object occurs several times, its last place counts.
    package func lastPlaces<Object: AnyObject>(
        of array: [Object],
        replacing range: Range<Int>,
        _ managed: (Object) -> ManagedObject?
    ) -> [Object] {
        var seen: Set<ObjectIdentifier> = []
        return array.reversed()
            .filter { object in
                let place = managed(object).flatMap(index)
                return seen.insert(ObjectIdentifier(object)).inserted
                    && place.map { $0 < range.upperBound } != false
            }
            .reversed()
    }

    /// Adds an object, or moves it to its position if it is in the list.
    func put(_ object: ManagedObject, at position: Int64?) {
        if contains(object) {
            // Without an order it stays where it is, and a position that is not given does not change.
            guard let position, position != self.position(object) else { return }
            remove(object)
        }
        let index = place(object, position)
        objects.insert(object, at: index)
        if isOrdered { positions.updateValue(position, forKey: ObjectIdentifier(object)) }
        if representatives?.insert(object, at: index) == false { representatives = nil }
        changeCount += 1
    }

    /// Removes an object, if it is in the list.
    func remove(_ object: ManagedObject) {
        guard let index = index(of: object) else { return }
        objects.remove(at: index)
        positions[ObjectIdentifier(object)] = nil
        representatives?.remove(at: index)
        changeCount += 1
    }
}

@available(*, unavailable)
extension RelatedList: Sendable {}

/// The objects of a ``RelatedList`` as objects of a program's own class.
package protocol RelatedRepresentatives: AnyObject {
    /// Adds the object that represents one of the store's objects, or returns `false` if there is none.
    func insert(_ object: ManagedObject, at index: Int) -> Bool
    func remove(at index: Int)
}
