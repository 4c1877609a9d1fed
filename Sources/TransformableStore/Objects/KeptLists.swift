/// The lists of an object's relationships that its context keeps.
struct KeptLists {
    // How often an object is looked up in a relationship before all of the relationship's objects are read.
    private static let fewLookups = 4

    // The lists at the positions of their relationships, or empty if there are none.
    private var lists: [RelatedList?] = []
    // The number of times that an object was looked up in a relationship without a list.
    private var lookups = 0

    var isEmpty: Bool { lists.isEmpty }

    /// The list of the relationship at a position, if it is kept.
    subscript(index: Int) -> RelatedList? { lists.isEmpty ? nil : lists[index] }

    /// Keeps a list.
    ///
    /// - Parameters:
    ///   - list: The list.
    ///   - index: The position of its relationship.
    ///   - count: The number of relationships of the entity.
    mutating func keep(_ list: RelatedList, at index: Int, of count: Int) {
        if lists.isEmpty { lists = Array(repeating: nil, count: count) }
        lists[index] = list
    }

    mutating func forget(_ index: Int) {
        if !lists.isEmpty { lists[index] = nil }
    }

    /// Removes all lists and returns them.
    ///
    /// Code of a program's own classes may run when the caller releases them.
    mutating func removeAll() -> [RelatedList?] {
        defer { lists = [] }
        return lists
    }

    /// Records that an object is looked up, and returns whether that happens so often that all objects should be read.
    mutating func countLookup() -> Bool {
        lookups += 1
        guard lookups > Self.fewLookups else { return false }
        lookups = 0
        return true
    }
}

extension ManagedObject {
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
        if lists.isEmpty { context.links.addOwner(self, commits: context.store.commitCount)?.forgetLists() }
        lists.keep(list, at: relationship.index, of: entity.relationships.count)
    }

    /// Returns the list in which an object is looked up, or `nil` to look it up in the file, as long as that is rarely
    /// done.
    func lookupList(_ relationship: StoredRelationship) throws -> RelatedList? {
        if let known = keptList(relationship) { return known }
        guard lists.countLookup(), context.keepsLists(isChanging: false) else { return nil }
        return try list(relationship)
    }

    /// Drops the list of a relationship if reading it again costs less than updating it many times.
    func forgetList(_ relationship: StoredRelationship) {
        lists.forget(relationship.index)
    }

    func forgetLists() {
        let dropped = lists.removeAll()
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
