extension StoreContext {
    /// Reads the rows of objects that have not been read yet, many with each statement.
    ///
    /// - Parameter objects: The objects. Those whose row no longer exists stay as they are.
    /// - Throws: `StoreError` if reading the file fails.
    public func prefetch(_ objects: [ManagedObject]) throws {
        let faults = objects.filter { $0.isFault && $0.state == .stored && $0.context === self }
        guard !faults.isEmpty else { return }
        let groups = Dictionary(grouping: faults, by: \.entity.index).sorted { $0.key < $1.key }
        try connected { connection in
            for (index, members) in groups {
                let numbers = members.map(\.number)
                for start in stride(from: 0, to: numbers.count, by: Self.batch) {
                    let part = numbers[start..<min(start + Self.batch, numbers.count)]
                    try load(part, of: schema.entities[index], on: connection)
                }
            }
        }
    }

    // The number of rows that one statement reads.
    static let batch = 256

    private func load(_ numbers: ArraySlice<Int64>, of entity: StoredEntity, on connection: any EngineConnection) throws
    {
        let statement = try connection.statement(entity.statements.selectMany(numbers.count))
        try statement.bind(numbers.map(ColumnValue.integer))
        defer { statement.reset() }
        while try statement.step() {
            guard let object = identities[entity, statement.integer(0)], object.isFault else { continue }
            object.fill(statement.packedRow(from: 2, count: entity.columns.count), statement.integer(1))
            try object.didLoad()
        }
    }
}

// MARK: - Related objects

extension StoreContext {
    /// Reads the objects of a relationship, many with each statement.
    ///
    /// Their values stay in memory for as long as you keep the objects.
    ///
    /// - Parameters:
    ///   - objects: The objects that have the relationship.
    ///   - name: The relationship's name.
    /// - Returns: The related objects, without duplicates.
    /// - Throws: `StoreError` with the code `unknown-attribute` if an object has no such relationship, with
    ///   the code `misuse` if an object belongs to another context, or if reading the file fails.
    public func prefetch(_ objects: [ManagedObject], _ name: String) throws -> [ManagedObject] {
        var seen: Set<ObjectIdentifier> = []
        var related: [ManagedObject] = []
        for start in stride(from: 0, to: objects.count, by: Self.batch) {
            let owners = Array(objects[start..<min(start + Self.batch, objects.count)])
            related += try self.related(to: owners, name).filter { seen.insert(ObjectIdentifier($0)).inserted }
        }
        try prefetch(related)
        return related
    }

    /// Reads the objects that a to-many relationship contains before it is changed, many with each statement.
    ///
    /// What was read is kept until the changes are saved or discarded.
    ///
    /// - Parameters:
    ///   - objects: The objects whose relationship is about to be changed, at most as many as one statement reads.
    ///   - name: The name of the relationship. If it is no relationship to many objects, nothing is read.
    /// - Throws: `StoreError` if reading fails.
    package func prefetch(_ objects: [ManagedObject], changing name: String) throws {
        referrers = ReferringRows(to: objects)
        defer { referrers = nil }
        for object in objects {
            let relationship = object.entity.relationships.first { $0.name == name && $0.description.isToMany }
            if let relationship { _ = try object.changingList(ofRelationshipAt: relationship.index) }
        }
    }

    /// Returns the related objects of a batch, some of which may not have been read.
    private func related(to owners: [ManagedObject], _ name: String) throws -> [ManagedObject] {
        for owner in owners { try requireOwnership(of: owner) }
        // Otherwise, following a reference would read each of them by itself.
        let destinations = try destinations(of: owners, name)
        defer { withExtendedLifetime(destinations) {} }
        try prefetch(destinations)
        referrers = ReferringRows(to: owners)
        defer { referrers = nil }
        return try owners.flatMap { try $0.allObjects(name) }
    }

    /// Returns the objects that references in the objects' own rows lead to.
    private func destinations(of owners: [ManagedObject], _ name: String) throws -> [ManagedObject] {
        let links = owners.compactMap { owner in
            owner.entity.relationships.first { $0.name == name && $0.hasColumn }.map { (owner: owner, link: $0) }
        }
        try prefetch(links.map(\.owner))
        return try links.flatMap { owner, link in
            try link.parts.compactMap { part in
                guard case .column(let index) = part.storage,
                    let number = try owner.reference(owner.entity.attributes[index])
                else { return nil }
                return try fault(schema.entity(part.destination), number)
            }
        }
    }
}

/// The rows that refer to several objects, which are read for all of them when the first one needs its own.
struct ReferringRows {
    /// The objects whose rows are stored, by the positions of their entities.
    let numbers: [Int: Set<Int64>]
    /// The rows, by the statement that reads those of one object.
    var lists: [String: [Int64: [PackedRow]]] = [:]

    init(to objects: [ManagedObject]) {
        numbers = Dictionary(grouping: objects.filter { $0.state != .inserted }, by: \.entity.index)
            .mapValues { Set($0.map(\.number)) }
    }
}
