/// The living objects of a context, one for each row.
struct IdentityMap {
    // By the positions of the entities.
    private let tables: [ObjectTable]

    init(_ schema: StoreSchema) {
        tables = schema.entities.map { _ in ObjectTable() }
    }

    subscript(entity: StoredEntity, number: Int64) -> ManagedObject? { tables[entity.index][number] }

    func insert(_ object: ManagedObject) {
        tables[object.entity.index].insert(object)
    }

    /// Removes an object that is being deinitialized, unless another one has its number.
    func remove(_ object: ManagedObject) {
        tables[object.entity.index].remove(object)
    }

    /// Returns the objects of an entity that are referenced.
    func living(_ entity: StoredEntity) -> [ManagedObject] { tables[entity.index].living }

    /// All objects that are referenced.
    var living: [ManagedObject] { tables.flatMap(\.living) }
}

/// The living objects of an entity, by number.
///
/// The table uses open addressing with linear probing. Objects enter and leave it with each row of a fetch. A
/// dictionary made this slow, and so did arrays, because of their uniqueness checks.
@safe
private final class ObjectTable {
    @unsafe
    private struct Place {
        // Numbers start at 1, so 0 marks an empty place.
        var number: Int64 = 0
        // An unretained reference to a living object, which removes itself when it is deinitialized.
        var object: Unmanaged<ManagedObject>?
    }

    // All places up to the mask, which is a power of two minus one, are initialized. The table is never full.
    private var places: UnsafeMutablePointer<Place>
    private var mask = 7
    private var count = 0

    init() {
        unsafe places = Self.makePlaces(8)
    }

    deinit {
        unsafe places.deallocate()
    }

    private static func makePlaces(_ count: Int) -> UnsafeMutablePointer<Place> {
        let places = UnsafeMutablePointer<Place>.allocate(capacity: count)
        unsafe places.initialize(repeating: Place(), count: count)
        return unsafe places
    }

    /// Returns the preferred place of a number.
    ///
    /// Numbers come in runs: sixteen consecutive ones are adjacent in memory, and a multiplication by an odd constant
    /// spreads these groups.
    private func home(_ number: Int64) -> Int {
        let group = UInt64(bitPattern: number >> 4) &* 0x9E37_79B9_7F4A_7C15
        return (Int(truncatingIfNeeded: group >> 32) << 4 | Int(truncatingIfNeeded: number & 15)) & mask
    }

    private func place(_ number: Int64) -> Int {
        var place = home(number)
        while unsafe places[place].number != 0, unsafe places[place].number != number {
            place = (place + 1) & mask
        }
        return place
    }

    subscript(number: Int64) -> ManagedObject? {
        guard number != 0 else { return nil }
        return unsafe places[place(number)].object?.takeUnretainedValue()
    }

    /// The objects in the table.
    var living: [ManagedObject] {
        (0...mask).compactMap { unsafe places[$0].object?.takeUnretainedValue() }
    }

    func insert(_ object: ManagedObject) {
        guard object.number != 0 else { return }
        if (count + 1) * 4 > (mask + 1) * 3 { grow() }
        let place = place(object.number)
        if unsafe places[place].number == 0 { count += 1 }
        unsafe places[place] = unsafe Place(number: object.number, object: .passUnretained(object))
    }

    func remove(_ object: ManagedObject) {
        guard object.number != 0 else { return }
        var gap = place(object.number)
        guard unsafe places[gap].object?.toOpaque() == Unmanaged.passUnretained(object).toOpaque() else { return }
        count -= 1
        // Move up each entry that was placed past the gap.
        var next = (gap + 1) & mask
        while unsafe places[next].number != 0 {
            let distance = unsafe (next - home(places[next].number)) & mask
            if distance >= (next - gap) & mask {
                unsafe places[gap] = unsafe places[next]
                gap = next
            }
            next = (next + 1) & mask
        }
        unsafe places[gap] = unsafe Place()
    }

    private func grow() {
        let old = unsafe places
        let range = 0...mask
        mask = mask * 2 + 1
        unsafe places = Self.makePlaces(mask + 1)
        for index in range where unsafe old[index].number != 0 {
            unsafe places[place(old[index].number)] = unsafe old[index]
        }
        unsafe old.deallocate()
    }
}

@available(*, unavailable)
extension ObjectTable: Sendable {}
