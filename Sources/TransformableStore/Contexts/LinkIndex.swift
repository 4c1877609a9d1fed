/// What a context knows about relationships in addition to the file: pending references, and the lists that it keeps.
struct LinkIndex {
    /// A column of references, along with the number of the object that they lead to.
    private struct Target: Hashable {
        let entity: Int
        let attribute: Int
        let number: Int64
    }

    // The maximum number of objects with kept lists.
    private static let limit = 256

    // The numbers of changed objects that lead, or have led, to a target. Each of them is checked.
    private var sources: [Target: Set<Int64>] = [:]
    // The objects with lists, in the order in which they got them.
    private var owners: [ManagedObject] = []
    // The number of commits to the store when the oldest list was made.
    private var commits = 0
    // The last positions in ordered relationships, where they are known.
    private var lastPositions: [PositionKey: Int64] = [:]
    // The number of commits to the store when they were found out.
    private var positionCommits = 0
    /// Whether a reference is being set along with the lists that it changes.
    var isLinking = false
    /// What leads to the deleted objects, while delete rules are applied.
    var doomed: DoomedRows?

    var hasLists: Bool { !owners.isEmpty }

    /// Records that a changed object leads to another object.
    mutating func note(_ object: ManagedObject, _ attribute: StoredAttribute, _ number: Int64) {
        let target = Target(entity: object.entity.index, attribute: attribute.index, number: number)
        sources[target, default: []].insert(object.number)
    }

    /// Returns the numbers of an entity's changed objects that may lead to an object.
    func sources(_ entity: StoredEntity, _ attribute: StoredAttribute, _ number: Int64) -> Set<Int64> {
        sources[Target(entity: entity.index, attribute: attribute.index, number: number)] ?? []
    }

    /// Forgets where references lead once they are written or discarded.
    mutating func forgetSources() {
        sources = [:]
    }

    /// The last position in an ordered relationship, or `nil` if it is not known.
    subscript(lastPosition key: PositionKey) -> Int64? {
        get { lastPositions[key] }
        set { lastPositions[key] = newValue }
    }

    mutating func forgetPositions() {
        lastPositions = [:]
    }

    /// Forgets the last positions if someone else may have changed the store since they were found out.
    mutating func forgetPositions(before commits: Int) {
        guard positionCommits != commits else { return }
        forgetPositions()
        positionCommits = commits
    }

    /// Records that an object has its first list, and returns the object that must drop its lists to make room.
    mutating func addOwner(_ object: ManagedObject, commits: Int) -> ManagedObject? {
        if owners.isEmpty { self.commits = commits }
        owners.append(object)
        return owners.count > Self.limit ? owners.removeFirst() : nil
    }

    /// Returns a Boolean value that indicates whether no one else has changed the store since the lists were made.
    func isCurrent(_ commits: Int) -> Bool { self.commits == commits }

    mutating func takeOwners() -> [ManagedObject] {
        defer { owners = [] }
        return owners
    }
}

/// An ordered relationship of an object.
struct PositionKey: Hashable {
    private let entity: Int
    private let number: Int64
    private let relationship: Int

    init(_ object: ManagedObject, _ relationship: StoredRelationship) {
        entity = object.entity.index
        number = object.number
        self.relationship = relationship.index
    }
}

extension StoreContext {
    /// Whether lists of related objects are kept from now on, because something pending will drop them later.
    func keepsLists(isChanging: Bool) -> Bool {
        guard isWritable, saving.phase == .open || saving.phase == .preparing, !connection.isDetached else {
            return false
        }
        return isChanging || !work.changed.isEmpty || !work.pairs.isEmpty
    }

    /// Drops all lists of related objects.
    package func dropLists() {
        guard links.hasLists else { return }
        let owners = links.takeOwners()
        // Code of a program's classes may run when their objects are deinitialized, so this must come last.
        let lists = owners.map { $0.lists.removeAll() }
        withExtendedLifetime(lists) {}
    }

    /// Drops the lists if nothing is pending that would drop them later.
    package func dropListsUnlessPending() {
        if isEditing, work.isEmpty { dropLists() }
    }

    /// Runs a closure that sets a reference and updates the lists itself.
    func linking(_ body: () throws -> Void) throws {
        let isInner = links.isLinking
        links.isLinking = true
        defer { links.isLinking = isInner }
        do {
            try body()
        } catch {
            dropLists()
            throw error
        }
    }

    /// Records that a column of references or positions was set.
    func didLink(_ object: ManagedObject, _ attribute: StoredAttribute, _ slot: Slot) {
        guard !connection.isDetached else { return }
        if let number = (slot as? ValueSlot<Int64>)?.value { links.note(object, attribute, number) }
        guard !links.isLinking else { return }
        dropLists()
        links.forgetPositions()
    }

    /// Removes an object that is being deleted from the lists that contain it.
    func unlist(_ object: ManagedObject) throws {
        guard links.hasLists else { return }
        guard schema.pairs(with: object.entity).isEmpty else { return dropLists() }
        object.forgetLists()
        for relationship in object.entity.relationships where relationship.hasColumn {
            try object.inverseList(relationship)?.remove(object)
        }
    }

    /// Updates the lists on both sides after a change to a pair.
    func relist(_ key: PairEdits.Key, _ edit: PairEdits.Edit) throws {
        guard links.hasLists, let table = schema.pairTables[key.table] else { return }
        for own in PairSide.allCases {
            guard let name = table.names[own], let owner = table.entities[own],
                let other = table.entities[own.opposite]
            else { continue }
            let (entity, partner) = try (schema.entity(owner), schema.entity(other))
            guard let object = identities[entity, key[own]] else { continue }
            let relationship = try entity.relationship(name)
            guard relationship.part(other)?.storage == .pairs(table: key.table, own: own),
                let list = object.keptList(relationship)
            else { continue }
            let member = fault(partner, key[own.opposite])
            guard edit.isPresent else {
                list.remove(member)
                continue
            }
            list.put(member, at: edit.positions[own])
        }
    }
}
