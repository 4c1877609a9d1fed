/// What was committed since one asked last: which objects, and which of their attributes.
public struct ChangeSet: Sendable, Hashable {
    /// The new objects.
    public private(set) var inserted: Set<ObjectID> = []
    /// The objects of which something was changed, with the names of the attributes and relationships.
    public private(set) var updated: [ObjectID: Set<String>] = [:]
    /// The objects that were deleted.
    public private(set) var deleted: Set<ObjectID> = []
    /// Whether there was more than is listed, as after a commit of another program: whoever keeps a copy reads it again.
    public private(set) var isIncomplete = false

    init() {}

    /// What was committed by others, of which nothing is known.
    static var unknown: Self {
        var changes = Self()
        changes.isIncomplete = true
        return changes
    }

    /// Whether nothing was changed.
    public var isEmpty: Bool { inserted.isEmpty && updated.isEmpty && deleted.isEmpty && !isIncomplete }

    mutating func note(_ id: ObjectID, _ kind: WrittenObject.Kind, _ attributes: [String]) {
        switch kind {
        case .inserted: if deleted.remove(id) == nil { inserted.insert(id) } else { updated[id] = Set(attributes) }
        case .updated: update(id, attributes.filter { !$0.hasPrefix("_") })
        case .deleted:
            updated[id] = nil
            if inserted.remove(id) == nil { deleted.insert(id) }
        }
    }

    mutating func update(_ id: ObjectID, _ names: some Sequence<String>) {
        guard !inserted.contains(id), !deleted.contains(id) else { return }
        updated[id, default: []].formUnion(names)
    }

    /// What concerns some entities only.
    func filtered(_ entities: Set<String>) -> Self {
        var copy = self
        copy.inserted = inserted.filter { entities.contains($0.entity) }
        copy.updated = updated.filter { entities.contains($0.key.entity) }
        copy.deleted = deleted.filter { entities.contains($0.entity) }
        return copy
    }

    /// Adds what was committed later; beyond a number of objects it only says that there was more.
    mutating func add(_ later: Self, limit: Int) {
        for id in later.inserted { note(id, .inserted, []) }
        for (id, names) in later.updated { update(id, names) }
        for id in later.deleted { note(id, .deleted, []) }
        isIncomplete = isIncomplete || later.isIncomplete
        if isIncomplete || inserted.count + updated.count + deleted.count > limit {
            self = Self()
            isIncomplete = true
        }
    }
}
