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
    /// Whether a reference is being set along with the lists that it changes.
    var isLinking = false

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
    fileprivate func keepsLists(isChanging: Bool) -> Bool {
        guard isWritable, phase == .open || phase == .preparing, !connection.isDetached else { return false }
        return isChanging || !work.changed.isEmpty || !work.pairs.isEmpty
    }

    /// Drops all lists of related objects.
    package func dropLists() {
        guard links.hasLists else { return }
        let owners = links.takeOwners()
        // Code of a program's classes may run when their objects are deinitialized, so this must come last.
        let lists = owners.map(\.lists)
        for owner in owners { owner.lists = [] }
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
        if !links.isLinking { dropLists() }
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

extension ManagedObject {
    // How often an object is looked up in a relationship before all of the relationship's objects are read.
    private static let fewLookups = 4

    /// Returns the list of a relationship if it is kept.
    func keptList(_ relationship: StoredRelationship) -> RelatedList? {
        guard !lists.isEmpty else { return nil }
        if context.isEditing, !context.links.isCurrent(context.store.commitCount) {
            context.dropLists()
            return nil
        }
        return lists[relationship.index]
    }

    /// Returns the objects of a to-many relationship as a list that is kept as long as the context has changes.
    ///
    /// - Parameters:
    ///   - relationship: The relationship.
    ///   - isChanging: Whether the caller is about to change the relationship.
    /// - Returns: The list, which may be kept or for one use.
    /// - Throws: `StoreError` if the file cannot be read.
    func list(_ relationship: StoredRelationship, isChanging: Bool = false) throws -> RelatedList {
        if let known = keptList(relationship) { return known }
        let objects = try listed(relationship).map { (object: object($0), position: $0.position) }
        let list = RelatedList(objects, isOrdered: relationship.description.isOrdered)
        // The other side of a one-to-one relationship is looked up. No list is updated with it.
        guard relationship.description.isToMany, !isDeleted, context.keepsLists(isChanging: isChanging) else {
            return list
        }
        keep(list, relationship)
        return list
    }

    private func object(_ listed: ListedObject) -> ManagedObject {
        guard let version = listed.version else { return context.fault(listed.entity, listed.number) }
        return context.fault(listed.entity, listed.number, version: version)
    }

    private func keep(_ list: RelatedList, _ relationship: StoredRelationship) {
        if lists.isEmpty {
            lists = Array(repeating: nil, count: entity.relationships.count)
            context.links.addOwner(self, commits: context.store.commitCount)?.forgetLists()
        }
        lists[relationship.index] = list
    }

    /// Returns the list in which an object is looked up, or `nil` to look it up in the file, as long as that is rarely
    /// done.
    func lookupList(_ relationship: StoredRelationship) throws -> RelatedList? {
        if let known = keptList(relationship) { return known }
        lookups += 1
        guard lookups > Self.fewLookups, context.keepsLists(isChanging: false) else { return nil }
        lookups = 0
        return try list(relationship)
    }

    /// Drops the list of a relationship if reading it again costs less than updating it many times.
    func forgetList(_ relationship: StoredRelationship) {
        if !lists.isEmpty { lists[relationship.index] = nil }
    }

    func forgetLists() {
        let dropped = lists
        lists = []
        withExtendedLifetime(dropped) {}
    }

    /// Returns the kept list that contains this object, of the object that a to-one relationship currently leads to.
    func inverseList(_ relationship: StoredRelationship) throws -> RelatedList? {
        guard let inverse = relationship.inverse, inverse.isToMany else { return nil }
        for part in relationship.parts {
            guard case .column(let index) = part.storage,
                let number = try reference(entity.attributes[index])
            else {
                continue
            }
            let owner = try context.identities[context.schema.entity(part.destination), number]
            return try owner?.inverseList(named: inverse.name)
        }
        return nil
    }

    /// Returns the kept list of a to-many relationship.
    func inverseList(named name: String) throws -> RelatedList? {
        lists.isEmpty ? nil : try keptList(entity.relationship(name))
    }
}
