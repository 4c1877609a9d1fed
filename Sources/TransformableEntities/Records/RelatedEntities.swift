internal import Glibc
internal import TransformableStore

/// The objects that a relationship leads to, whichever class they are of.
protocol EntityList: AnyObject {
    var entities: [any Entity] { get }
}

/// The objects of a class that a relationship leads to.
///
/// They are lent to be changed in place, so that an array of many is neither copied nor gone through for one change.
final class RelatedEntities<Destination: Entity>: EntityList {
    /// The objects; none while they are lent.
    private(set) var objects: [Destination]
    // Which objects there were when they were lent.
    private var ids: [ObjectIdentifier]

    init(_ objects: [Destination]) {
        self.objects = objects
        ids = objects.map(ObjectIdentifier.init)
    }

    var entities: [any Entity] { objects }

    /// Gives the only reference to the array away.
    func take() -> [Destination] {
        defer { objects = [] }
        return objects
    }

    /// Takes the array back, where nobody will ask what has changed.
    func give(_ objects: [Destination]) {
        self.objects = objects
    }

    /// Takes the array back, of which a part has changed.
    func give(_ objects: [Destination], changed old: Range<Int>, to new: Range<Int>) {
        self.objects = objects
        ids.replaceSubrange(old, with: objects[new].map(ObjectIdentifier.init))
    }
}

extension RelatedEntities: RelatedFaces {
    func insert(_ object: ManagedObject, at index: Int) -> Bool {
        guard let entity: Destination = try? object.context.face(of: object) else { return false }
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
    /// Where an array differs from what was lent: the objects between the longest beginning and end that are the same.
    ///
    /// Appending to an array is done without looking at what it had; so the comparison is one of memory, of which a
    /// million objects take less than a millisecond.
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

    /// The first of some places where two things differ, found by comparing ranges.
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
        // Both arrays hold nothing but addresses of objects, and both have the range.
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

/// The objects that a relationship leads to, while they are changed in place; not for use by hand.
public struct _LentEntities<Destination: Entity> {
    /// The objects.
    public var objects: [Destination]
    let entities: RelatedEntities<Destination>?
    let list: RelatedList?
    private let changeCount: Int
    /// Why they could not be read.
    let failure: (any Error)?

    init(_ objects: [Destination], _ entities: RelatedEntities<Destination>?, _ list: RelatedList?) {
        self.objects = objects
        self.entities = entities
        self.list = list
        changeCount = list?.changeCount ?? 0
        failure = nil
    }

    init(failure: any Error) {
        objects = []
        entities = nil
        list = nil
        changeCount = 0
        self.failure = failure
    }

    /// Gives the only reference to the array away.
    mutating func takeObjects() -> [Destination] {
        defer { objects = [] }
        return objects
    }

    /// Whether nothing else has changed the relationship since.
    func isCurrent(of object: ManagedObject, _ index: Int) -> Bool {
        list.map { $0.changeCount == changeCount && object.isKept($0, ofRelationshipAt: index) }
            ?? false
    }
}

@available(*, unavailable)
extension _LentEntities: Sendable {}
