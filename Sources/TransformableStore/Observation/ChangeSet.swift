/// The changes that were committed since the previous change set: the objects, and their changed attributes.
public struct ChangeSet: Sendable, Hashable {
    /// The new objects.
    public private(set) var inserted: Set<ObjectID> = []
    /// The objects that were changed, each with the names of the changed attributes and relationships.
    public private(set) var updated: [ObjectID: Set<String>] = [:]
    /// The objects that were deleted.
    public private(set) var deleted: Set<ObjectID> = []
    /// Whether there were more changes than are listed, for example after a commit by another program, or if the
    /// observation began in the middle of a write.
    ///
    /// If so, read again everything that you keep a copy of.
    public private(set) var isIncomplete = false
    /// The entities whose changes are not listed, because there are too many.
    ///
    /// Change sets for observers have none.
    private(set) var omitted: Set<String> = []

    /// The maximum number of objects in a change set for observers.
    static let limit = 10_000

    init() {}

    /// A commit of another writer, about which nothing is known.
    static var unknown: Self {
        var changes = Self()
        changes.isIncomplete = true
        return changes
    }

    /// Whether nothing was changed.
    public var isEmpty: Bool { count == 0 && omitted.isEmpty && !isIncomplete }

    /// The number of listed objects.
    var count: Int { inserted.count + updated.count + deleted.count }

    mutating func note(_ id: ObjectID, _ kind: WrittenObject.Kind, _ attributes: [String]) {
        switch kind {
        case .inserted:
            // An object that is inserted again, to settle a conflict, may differ in anything from the deleted one.
            if deleted.remove(id) == nil { inserted.insert(id) } else { isIncomplete = true }
        case .updated: update(id, attributes.filter { !$0.hasPrefix("_") })
        case .deleted:
            updated[id] = nil
            if inserted.remove(id) == nil { deleted.insert(id) }
        }
    }

    /// Records that there were changes that are not listed.
    mutating func omitSome() {
        isIncomplete = true
    }

    /// Removes the objects of an entity with too many changes to list.
    mutating func omit(_ entity: String) {
        omitted.insert(entity)
        inserted = inserted.filter { $0.entity != entity }
        updated = updated.filter { $0.key.entity != entity }
        deleted = deleted.filter { $0.entity != entity }
    }

    mutating func update(_ id: ObjectID, _ names: some Sequence<String>) {
        guard !inserted.contains(id), !deleted.contains(id) else { return }
        updated[id, default: []].formUnion(names)
    }

    /// Returns the changes to some entities only.
    func filtered(_ entities: Set<String>) -> Self {
        var copy = self
        copy.inserted = inserted.filter { entities.contains($0.entity) }
        copy.updated = updated.filter { entities.contains($0.key.entity) }
        copy.deleted = deleted.filter { entities.contains($0.entity) }
        copy.isIncomplete = isIncomplete || !omitted.isDisjoint(with: entities)
        copy.omitted = []
        return copy
    }

    /// Adds changes that were committed later.
    ///
    /// Beyond ``limit``, the set only records that there were more.
    mutating func add(_ later: Self) {
        for id in later.inserted { note(id, .inserted, []) }
        for (id, names) in later.updated { update(id, names) }
        for id in later.deleted { note(id, .deleted, []) }
        isIncomplete = isIncomplete || later.isIncomplete
        if isIncomplete || count > Self.limit {
            self = Self()
            isIncomplete = true
        }
    }
}
