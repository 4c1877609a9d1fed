/// What a context knows of relationships beside the file: where pending references lead, and lists that are kept.
struct LinkIndex {
    /// A column of references with the number of an object they lead to.
    private struct Target: Hashable {
        let entity: Int
        let attribute: Int
        let number: Int64
    }

    // How many objects may have lists that are kept.
    private static let limit = 256

    // The numbers of changed objects that lead to a target, or did: each is asked.
    private var sources: [Target: Set<Int64>] = [:]
    // The objects that have lists, the one that has had them longest first.
    private var owners: [ManagedObject] = []
    // What was committed to the store when the oldest list was made.
    private var commits = 0
    /// Whether a reference is being set together with the lists that it changes.
    var isLinking = false

    var hasLists: Bool { !owners.isEmpty }

    /// Notes that a changed object leads to another one.
    mutating func note(_ object: ManagedObject, _ attribute: StoredAttribute, _ number: Int64) {
        let target = Target(entity: object.entity.index, attribute: attribute.index, number: number)
        sources[target, default: []].insert(object.number)
    }

    /// The numbers of changed objects of an entity that may lead to an object.
    func sources(_ entity: StoredEntity, _ attribute: StoredAttribute, _ number: Int64) -> Set<Int64> {
        sources[Target(entity: entity.index, attribute: attribute.index, number: number)] ?? []
    }

    /// Forgets where references lead that are written now, or given up.
    mutating func forgetSources() {
        sources = [:]
    }

    /// Notes that an object has its first list; gives the one that is to drop its lists for that.
    mutating func addOwner(_ object: ManagedObject, commits: Int) -> ManagedObject? {
        if owners.isEmpty { self.commits = commits }
        owners.append(object)
        return owners.count > Self.limit ? owners.removeFirst() : nil
    }

    /// Whether nobody else has changed the store since the lists were made.
    func isCurrent(_ commits: Int) -> Bool { self.commits == commits }

    mutating func takeOwners() -> [ManagedObject] {
        defer { owners = [] }
        return owners
    }
}

extension StoreContext {
    /// Whether lists of related objects that are made now are kept: something pending will drop them.
    fileprivate func keepsLists(isChanging: Bool) -> Bool {
        guard isWritable, phase == .open || phase == .preparing, !isDetached else { return false }
        return isChanging || !changed.isEmpty || !pairs.isEmpty
    }

    /// Forgets all lists of related objects.
    package func dropLists() {
        guard links.hasLists else { return }
        let owners = links.takeOwners()
        // Code of a program's classes may run when their objects go, so nothing else is left to be done.
        let lists = owners.map(\.lists)
        for owner in owners { owner.lists = [] }
        withExtendedLifetime(lists) {}
    }

    /// Forgets them if there is nothing pending that would do so later.
    package func dropListsUnlessPending() {
        if isEditing, !hasPending { dropLists() }
    }

    /// Runs a body that sets a reference and sees to the lists itself.
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

    /// Takes note that a column of references or positions was set.
    func didLink(_ object: ManagedObject, _ attribute: StoredAttribute, _ slot: Slot) {
        guard !isDetached else { return }
        if let number = (slot as? ValueSlot<Int64>)?.value { links.note(object, attribute, number) }
        if !links.isLinking { dropLists() }
    }

    /// Takes an object that is deleted now out of the lists that have it.
    func unlist(_ object: ManagedObject) throws {
        guard links.hasLists else { return }
        guard schema.pairs(with: object.entity).isEmpty else { return dropLists() }
        object.forgetLists()
        for relationship in object.entity.relationships where relationship.hasColumn {
            try object.inverseList(relationship)?.remove(object)
        }
    }

    /// Lets the lists of both sides follow a change of a pair.
    func relist(_ key: PairEdits.Key, _ edit: PairEdits.Edit) throws {
        guard links.hasLists, let table = schema.pairTables[key.table] else { return }
        for (own, owner, other) in [
            ("\"first\"", table.first, table.second), ("\"second\"", table.second, table.first),
        ] {
            let (entity, partner) = try (schema.entity(owner), schema.entity(other))
            guard let name = table.names[own], let object = registered(entity, key.number(own)) else {
                continue
            }
            let relationship = try entity.relationship(name)
            guard case .pairs(key.table, own, let column)? = relationship.part(other)?.storage,
                let list = object.keptList(relationship)
            else { continue }
            let member = fault(partner, key.number(column))
            guard edit.isPresent else {
                list.remove(member)
                continue
            }
            list.put(member, at: edit.positions[StoredRelationship.positionColumn(own)])
        }
    }
}

extension ManagedObject {
    // How many times an object is looked for among those of a relationship before all of them are read.
    private static let fewLookups = 4

    /// The list of a relationship, if it is kept.
    func keptList(_ relationship: StoredRelationship) -> RelatedList? {
        guard !lists.isEmpty else { return nil }
        if context.isEditing, !context.links.isCurrent(context.store.commitCount) {
            context.dropLists()
            return nil
        }
        return lists[relationship.index]
    }

    /// The objects that a relationship to many leads to, as a list that is kept while the context has changes.
    ///
    /// - Parameters:
    ///   - relationship: The relationship.
    ///   - isChanging: Whether the caller is about to change what it leads to.
    /// - Returns: The list; kept or for one use.
    /// - Throws: ``StoreError`` if the file cannot be read.
    func list(_ relationship: StoredRelationship, isChanging: Bool = false) throws -> RelatedList {
        if let known = keptList(relationship) { return known }
        let objects = try listed(relationship).map { (object: object($0), position: $0.position) }
        let list = RelatedList(objects, isOrdered: relationship.description.isOrdered)
        // The other side of one to one is looked up: no list follows it.
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

    /// The list in which an object is looked for; nil if it is looked for in the file, as long as that is seldom done.
    func lookupList(_ relationship: StoredRelationship) throws -> RelatedList? {
        if let known = keptList(relationship) { return known }
        lookups += 1
        guard lookups > Self.fewLookups, context.keepsLists(isChanging: false) else { return nil }
        lookups = 0
        return try list(relationship)
    }

    /// Forgets the list of a relationship, where reading it again costs less than to have it follow many changes.
    func forgetList(_ relationship: StoredRelationship) {
        if !lists.isEmpty { lists[relationship.index] = nil }
    }

    func forgetLists() {
        let dropped = lists
        lists = []
        withExtendedLifetime(dropped) {}
    }

    /// The kept list, of the object that a relationship in a column leads to now, which has this object.
    func inverseList(_ relationship: StoredRelationship) throws -> RelatedList? {
        guard let inverse = relationship.inverse, inverse.isToMany else { return nil }
        for part in relationship.parts {
            guard case .column(let index) = part.storage,
                let number = try reference(entity.attributes[index])
            else {
                continue
            }
            let owner = try context.registered(context.schema.entity(part.destination), number)
            return try owner?.inverseList(named: inverse.name)
        }
        return nil
    }

    /// The kept list of a relationship to many.
    func inverseList(named name: String) throws -> RelatedList? {
        lists.isEmpty ? nil : try keptList(entity.relationship(name))
    }
}
