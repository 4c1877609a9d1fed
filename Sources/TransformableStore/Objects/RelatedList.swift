/// The objects that a relationship to many leads to, in their order.
///
/// A context that has changes keeps such lists up to date, so that no change or read among many goes through all of the
/// objects again. It is the objects' owner that keeps it, until its context drops all lists.
package final class RelatedList {
    /// The objects, each once.
    package private(set) var objects: [ManagedObject] = []
    /// The same as objects of a program's own class, while somebody has asked for them.
    package var faces: (any RelatedFaces)?
    /// How often the list has changed.
    package private(set) var changeCount = 0
    private let isOrdered: Bool
    // The objects' positions; none without an order.
    private var positions: [ObjectIdentifier: Int64?] = [:]

    init(_ objects: [(object: ManagedObject, position: Int64?)], isOrdered: Bool) {
        self.isOrdered = isOrdered
        self.objects = objects.map(\.object)
        guard isOrdered else { return }
        positions = Dictionary(objects.map { (ObjectIdentifier($0.object), $0.position) }) { first, _ in
            first
        }
    }

    /// The position that an object has; nil if it has none, or is not there.
    func position(_ object: ManagedObject) -> Int64? {
        positions[ObjectIdentifier(object)] ?? nil
    }

    func contains(_ object: ManagedObject) -> Bool {
        guard !isOrdered else { return positions[ObjectIdentifier(object)] != nil }
        let index = place(object, nil)
        return index < objects.count && objects[index] === object
    }

    /// The index of an object; nil if it is not there.
    func index(of object: ManagedObject) -> Int? {
        guard contains(object) else { return nil }
        return place(object, position(object))
    }

    /// How an object stands before another one: by position, those without one last; then by entity and number.
    private func key(_ object: ManagedObject, _ position: Int64?) -> (Int, Int64, Int, Int64) {
        (position == nil ? 1 : 0, position ?? 0, object.entity.index, object.number)
    }

    /// The first index whose object does not stand before another one.
    private func place(_ object: ManagedObject, _ position: Int64?) -> Int {
        let key = key(object, position)
        var range = 0..<objects.count
        // Most are added as the last one.
        if let last = objects.last, self.key(last, self.position(last)) < key { return objects.count }
        while !range.isEmpty {
            let middle = range.lowerBound + range.count / 2
            let isBefore = self.key(objects[middle], self.position(objects[middle])) < key
            range = isBefore ? middle + 1..<range.upperBound : range.lowerBound..<middle
        }
        return range.lowerBound
    }

    /// The objects of an array that takes the place of a range, without those that come after the range as well, or
    /// later in the array: of an object that is there several times the last place counts.
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

    /// Adds an object, or moves one that is there already to its position.
    func put(_ object: ManagedObject, at position: Int64?) {
        if contains(object) {
            // Without an order it stays, and a position that is not told is not changed.
            guard let position, position != self.position(object) else { return }
            remove(object)
        }
        let index = place(object, position)
        objects.insert(object, at: index)
        if isOrdered { positions.updateValue(position, forKey: ObjectIdentifier(object)) }
        if faces?.insert(object, at: index) == false { faces = nil }
        changeCount += 1
    }

    /// Removes an object; one that is not there changes nothing.
    func remove(_ object: ManagedObject) {
        guard let index = index(of: object) else { return }
        objects.remove(at: index)
        positions[ObjectIdentifier(object)] = nil
        faces?.remove(at: index)
        changeCount += 1
    }
}

@available(*, unavailable)
extension RelatedList: Sendable {}

/// The objects of a ``RelatedList`` as objects of a program's own class.
package protocol RelatedFaces: AnyObject {
    /// Adds the object that stands for one of the store; false if there is none.
    func insert(_ object: ManagedObject, at index: Int) -> Bool
    func remove(at index: Int)
}
