internal import Transformable

// MARK: - Counts of related objects

/// The limits on the number of a relationship's objects that no column constraint enforces.
struct RelationshipLimits: Sendable {
    let least: Int
    let most: Int

    /// Returns `nil` if the relationship allows any number, or if its own column is constraint enough.
    init?(_ relationship: StoredRelationship) {
        let description = relationship.description
        if description.isToMany {
            guard description.minimumCount != nil || description.maximumCount != nil else { return nil }
            least = description.minimumCount ?? 0
            most = description.maximumCount ?? .max
        } else {
            guard !relationship.hasColumn else { return nil }
            least = description.isOptional ? 0 : 1
            most = 1
        }
    }

    /// Returns the reason why a number of objects is not allowed, or `nil` if it is.
    func fault(_ count: Int) -> String? {
        let found = "it has \(count.counted("object"))"
        if count < least { return "\(found), but must have at least \(least)" }
        if count > most { return "\(found), but can have at most \(most)" }
        return nil
    }
}

extension StoreContext {
    /// Records all objects whose relationships may contain more or fewer objects once the pending changes are written.
    ///
    /// - Parameters:
    ///   - pending: The objects with changes.
    ///   - revived: Those of them whose rows another context has deleted, along with their pairs and the references to
    ///     them.
    /// - Throws: `StoreError` if a reference cannot be read.
    func noteCounts(of pending: [ManagedObject], recreating revived: [ManagedObject]) throws {
        guard schema.hasLimits else { return }
        for object in revived where object.entity.hasLimits { work.recount(object.id) }
        let recreated = Set(revived.map(ObjectIdentifier.init))
        // An insertion that was undone or has failed never had a row.
        for object in pending where object.state != .gone {
            if object.state == .inserted, object.entity.hasLimits { work.recount(object.id) }
            let isNew = object.state == .inserted || recreated.contains(ObjectIdentifier(object))
            for (column, destination) in schema.countedReferences(of: object.entity) {
                let former = isNew ? nil : try object.storedReference(column)
                let current = object.isDeleted ? nil : try object.reference(column)
                for number in [former, current].compactMap(\.self) where former != current {
                    work.recount(ObjectID(entity: destination, number: number))
                }
            }
        }
    }

    /// Counts the related objects of the recorded objects, after everything is written.
    ///
    /// A block may catch the error. The objects are then counted again before it commits.
    ///
    /// - Throws: `StoreError` with the code `invalid-value`, which names the object, the count, and the
    ///   limit.
    func enforceCounts() throws {
        for id in work.recounted.sorted(by: { ($0.entity, $0.number) < ($1.entity, $1.number) }) {
            let entity = try schema.entity(id.entity)
            if let object = identities[entity, id.number], object.isDeleted { continue }
            for relationship in entity.relationships {
                guard let limits = RelationshipLimits(relationship), try exists(id, in: entity) else { continue }
                guard let fault = limits.fault(try count(relationship, of: id)) else { continue }
                throw StoreError(
                    .invalidValue,
                    fault,
                    entity: entity.name,
                    attribute: relationship.name,
                    object: id
                )
            }
        }
        work.forgetRecounted()
    }

    private func exists(_ id: ObjectID, in entity: StoredEntity) throws -> Bool {
        try count("SELECT count(*) FROM \(entity.table) WHERE \"_id\" = ?", id) > 0
    }

    private func count(_ relationship: StoredRelationship, of id: ObjectID) throws -> Int {
        try relationship.parts.reduce(0) { sum, part in
            switch part.storage {
            case .column: return sum
            case .inverseColumn(let column):
                let table = try schema.entity(part.destination).table
                return try sum + count("SELECT count(*) FROM \(table) WHERE \(SQL.quoted(column)) = ?", id)
            case .pairs(let table, let own):
                return try sum + count("SELECT count(*) FROM \(table) WHERE \(own.column) = ?", id)
            }
        }
    }

    private func count(_ sql: String, _ id: ObjectID) throws -> Int {
        let statement = try statement(sql)
        try statement.bind(id.number, at: 1)
        defer { statement.reset() }
        return try statement.step() ? Int(statement.integer(0)) : 0
    }
}

extension ManagedObject {
    /// Returns the number that a reference's column contains in the file.
    fileprivate func storedReference(_ attribute: StoredAttribute) throws -> Int64? {
        guard let cell = attribute.cell else { return nil }
        if isFault, let (row, version) = try context.row(entity, number) { fill(row, version) }
        guard !isFault, row.kind(cell) == .integer else { return nil }
        return row.integer(cell)
    }
}
