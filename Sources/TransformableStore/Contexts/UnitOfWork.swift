/// The changes of a context that have not been written yet.
///
/// It is a class so that no access to it lasts while an object is released. The deinitializer of a program's own class
/// may change other objects.
final class UnitOfWork {
    /// The objects with changes, in the order of their first change.
    private(set) var changed: [ManagedObject] = []
    /// The changes to many-to-many relationships.
    private(set) var pairs = PairEdits()
    // The deleted objects, and how many of them have had their delete rules applied.
    private var deleted: [ManagedObject] = []
    private var takenCount = 0
    // The objects that were not inserted after all, and to which others may still lead.
    private var rejected: [ManagedObject] = []
    /// The objects whose relationships may contain more or fewer objects than when they were last counted.
    private(set) var recounted: Set<ObjectID> = []
    // The objects with a value that can be changed in place without notice.
    private var watched: [ManagedObject] = []
    /// The changes as temporary tables, once a fetch has asked for them.
    private(set) var tables: PendingTables?

    /// Whether there is nothing for a save to write.
    var isEmpty: Bool { changed.isEmpty && !awaitsDeleteRules && pairs.isEmpty }

    /// All objects that are retained until they are saved.
    var retained: [ManagedObject] { changed + watched }

    // MARK: Objects

    func note(_ object: ManagedObject) {
        changed.append(object)
        tables?.note(object)
    }

    /// Records that a value or the state of an object has changed.
    func touch(_ object: ManagedObject) {
        tables?.note(object)
    }

    func forget(_ object: ManagedObject) {
        changed.removeAll { $0 === object }
    }

    /// Forgets the objects that turned out to have no changes.
    func forgetUnchanged() {
        changed.removeAll { !$0.isNoted }
    }

    func noteDeletion(_ object: ManagedObject) {
        deleted.append(object)
    }

    /// Records that an object was not inserted after all, so nothing may lead to it.
    func noteRejection(_ object: ManagedObject) {
        rejected.append(object)
    }

    /// Returns the next object that was not inserted after all.
    func takeRejected() -> ManagedObject? {
        rejected.popLast()
    }

    /// Returns the next object whose delete rules must be applied, in the order of the deletions.
    ///
    /// Objects of one entity thus come together, so that what leads to them is read together.
    func takeDeleted() -> ManagedObject? {
        guard takenCount < deleted.count else {
            forgetDeleted()
            return nil
        }
        defer { takenCount += 1 }
        return deleted[takenCount]
    }

    private func forgetDeleted() {
        deleted = []
        takenCount = 0
    }

    /// Whether there are objects whose delete rules must be applied, or that were not inserted after all.
    var awaitsDeleteRules: Bool { takenCount < deleted.count || !rejected.isEmpty }

    /// The objects that ``takeDeleted()`` returns next, or the first of them.
    var nextDeleted: [ManagedObject] { Array(deleted[takenCount...].prefix(DoomedRows.window)) }

    // MARK: Relationships

    func setPair(_ key: PairEdits.Key, _ edit: PairEdits.Edit?) {
        pairs[key] = edit
        tables?.note(key)
    }

    /// Records that the object's relationships must be counted after everything is written.
    func recount(_ id: ObjectID) {
        recounted.insert(id)
    }

    func forgetRecounted() {
        recounted = []
    }

    // MARK: Values that can be changed in place

    /// Keeps an object until the next save because a value of reference type may be changed in place.
    func watch(_ object: ManagedObject) {
        watched.append(object)
    }

    /// Whether any value may be changed in place.
    var isWatching: Bool { !watched.isEmpty }

    /// Returns the objects with a value that was changed in place without notice.
    func mutatedObjects() throws -> [ManagedObject] {
        try watched.filter { try $0.state == .stored && !$0.isPending && $0.isMutated() }
    }

    /// Releases the watched objects that nothing else references.
    func releaseUnusedWatched() {
        var kept: [ManagedObject] = []
        while var object = watched.popLast() {
            if !object.isNoted { _ = object.releaseRepresentative() }
            if isKnownUniquelyReferenced(&object) { object.unwatch() } else { kept.append(object) }
        }
        for object in kept { object.keepRepresentative() }
        watched = kept.reversed()
    }

    // MARK: Temporary tables

    func keepTables(_ tables: PendingTables) {
        self.tables = tables
    }

    func takeTables() -> PendingTables? {
        defer { tables = nil }
        tables?.forget()
        return tables
    }

    // MARK: The end

    /// Forgets what has been written, except for what must still be counted.
    func didWrite() {
        changed = []
        pairs = PairEdits()
    }

    /// Forgets all changes, but not which objects may be changed in place, or what was written and must be counted.
    func clear() {
        didWrite()
        forgetDeleted()
        rejected = []
    }

    /// Forgets all changes, and returns whether there were none but those of one object.
    func clear(expecting object: ManagedObject) -> Bool {
        let isOnly = changed.allSatisfy { $0 === object } && pairs.isEmpty
        if isOnly, !awaitsDeleteRules {
            // Keeps the list's memory for the next object. This one is released after the access to the list.
            _ = changed.popLast()
        } else {
            clear()
        }
        return isOnly
    }

    /// Forgets everything at the end of the context.
    func end() {
        clear()
        recounted = []
        watched = []
    }
}

@available(*, unavailable)
extension UnitOfWork: Sendable {}
