internal import Glibc
internal import TransformableStore

/// The objects of a relationship to any class.
protocol EntityList: AnyObject {
    var entities: [any Entity] { get }
}

/// The objects of a relationship to a particular class.
///
/// They are lent for modification in place, so that changing one object neither copies nor traverses a large array.
final class RelatedEntities<Destination: Entity>: EntityList {
    /// The objects.
    ///
    /// The array is empty while they are lent.
    private(set) var objects: [Destination]
    // The objects at the time they were lent. The array's own id takes the place of one that no longer exists.
    private var ids: [ObjectIdentifier]

    init(_ objects: [Destination]) {
        self.objects = objects
        ids = objects.map(ObjectIdentifier.init)
    }

    var entities: [any Entity] { objects }

    /// Returns the array, leaving no other reference to it.
    func take() -> [Destination] {
        defer { objects = [] }
        return objects
    }

    /// Takes the array back, without tracking changes.
    func give(_ objects: [Destination]) {
        self.objects = objects
    }

    /// Forgets objects of the lent array that no longer exist, because a new object can have the same address.
    func forget(_ lost: ArraySlice<ManagedObject>, in list: RelatedList) {
        for object in lost {
            guard let index = list.index(of: object) else { continue }
            ids[index] = ObjectIdentifier(self)
        }
    }

    /// Takes the array back after a part of it has changed.
    func give(_ objects: [Destination], changed old: Range<Int>, to new: Range<Int>) {
        self.objects = objects
        guard old.isEmpty, new.count == 1 else {
            return ids.replaceSubrange(old, with: objects[new].map(ObjectIdentifier.init))
        }
        ids.insert(ObjectIdentifier(objects[new.lowerBound]), at: old.lowerBound)
    }
}

extension RelatedEntities: RelatedRepresentatives {
    func insert(_ object: ManagedObject, at index: Int) -> Bool {
        guard let entity: Destination = try? object.context.entity(of: object) else { return false }
        objects.insert(entity, at: index)
        ids.insert(ObjectIdentifier(entity), at: index)
        return true
    }

    func remove(at index: Int) {
        objects.remove(at: index)
        ids.remove(at: index)
    }
}

extension RelatedEntities {
    /// Returns the part of an array that differs from the lent objects: the elements between their longest common
    /// prefix and suffix.
    ///
    /// Appending to an array does not examine the existing elements, so this comparison must be cheap as well: it
    /// compares memory, which takes less than a millisecond for a million objects.
    func difference(to array: [Destination]) -> (old: Range<Int>, new: Range<Int>) {
        let count = min(ids.count, array.count)
        let start = Self.firstDifference(count) { isSame($0, in: array, shift: 0) }
        let shift = array.count - ids.count
        let end = Self.firstDifference(count - start) { range in
            let old = ids.count - range.upperBound..<ids.count - range.lowerBound
            return isSame(old, in: array, shift: shift)
        }
        return (start..<ids.count - end, start..<array.count - end)
    }

    /// Returns the first position where two arrays differ, found by comparing ranges.
    private static func firstDifference(_ count: Int, _ isSame: (Range<Int>) -> Bool) -> Int {
        var range = 0..<count
        guard !isSame(range) else { return count }
        while range.count > 1 {
            let middle = range.lowerBound + range.count / 2
            let half = range.lowerBound..<middle
            range = isSame(half) ? middle..<range.upperBound : half
        }
        return range.lowerBound
    }

    private func isSame(_ range: Range<Int>, in array: [Destination], shift: Int) -> Bool {
        guard !range.isEmpty else { return true }
        let size = MemoryLayout<ObjectIdentifier>.stride
        // Both arrays contain only object references, and the range is valid in both.
        return unsafe ids.withUnsafeBytes { ids in
            unsafe array.withUnsafeBytes { array in
                guard let left = ids.baseAddress, let right = array.baseAddress else { return false }
                let offset = (range.lowerBound + shift) * size
                return unsafe memcmp(left + range.lowerBound * size, right + offset, range.count * size)
                    == 0
            }
        }
    }
}

@available(*, unavailable)
extension RelatedEntities: Sendable {}

/// The objects of a relationship while they are modified in place.
///
/// Do not use this type directly.
public struct _LentEntities<Destination: Entity> {
    /// The objects.
    public var objects: [Destination]
    let entities: RelatedEntities<Destination>?
    let list: RelatedList?
    private let changeCount: Int
    private let context: StoreContext?
    private let lendingStart: Int
    /// The reason why the objects could not be read.
    let failure: (any Error)?

    /// Lends the objects of a list in a context.
    init(_ entities: RelatedEntities<Destination>, _ list: RelatedList, in context: StoreContext) {
        objects = entities.take()
        self.entities = entities
        self.list = list
        changeCount = list.changeCount
        self.context = context
        lendingStart = context.beginLending()
        failure = nil
    }

    /// Lends the objects of a draft.
    init(draft: RelatedEntities<Destination>?) {
        objects = draft?.take() ?? []
        entities = draft
        list = nil
        changeCount = 0
        context = nil
        lendingStart = 0
        failure = nil
    }

    init(failure: any Error) {
        objects = []
        entities = nil
        list = nil
        changeCount = 0
        context = nil
        lendingStart = 0
        self.failure = failure
    }

    /// Returns the array, leaving no other reference to it.
    mutating func takeObjects() -> [Destination] {
        defer { objects = [] }
        return objects
    }

    /// Ends the lending, and returns the objects that have lost their representative since it began.
    func end() -> ArraySlice<ManagedObject> {
        context?.endLending(lendingStart) ?? []
    }

    /// Returns whether the relationship has not been changed by other means since the objects were lent.
    func isCurrent(of object: ManagedObject, _ index: Int) -> Bool {
        list.map { $0.changeCount == changeCount && object.isKept($0, ofRelationshipAt: index) }
            ?? false
    }
}

@available(*, unavailable)
extension _LentEntities: Sendable {}
