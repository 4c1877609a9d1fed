internal import Transformable

// MARK: - Counts of related objects

/// The limits on the number of a relationship's objects that no column constraint enforces.
struct RelationshipLimits: Sendable {
    let least: Int
    let most: Int
    private let isToMany: Bool

    /// Returns `nil` if the relationship allows any number, or if its own column is constraint enough.
    init?(_ relationship: StoredRelationship) {
        let description = relationship.description
        isToMany = description.isToMany
        if isToMany {
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
        if count > most { return "\(found), but can have at most \(most)\(isToMany ? "" : "; set it to one of them")" }
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
        let groups = Dictionary(grouping: work.recounted, by: \.entity).mapValues { $0.map(\.number).sorted() }
        for (name, numbers) in groups.sorted(by: { $0.key < $1.key }) {
            for start in stride(from: 0, to: numbers.count, by: Self.batch) {
                let part = Array(numbers[start..<min(start + Self.batch, numbers.count)])
                try enforceCounts(of: part, schema.entity(name))
            }
        }
        work.forgetRecounted()
    }

    /// Counts the related objects of many objects of an entity with each statement.
    private func enforceCounts(of numbers: [Int64], _ entity: StoredEntity) throws {
        let present = try occurrences(of: numbers, in: "\"_id\"", of: entity.table)
        let limited = entity.relationships.compactMap { relationship in
            RelationshipLimits(relationship).map { (relationship: relationship, limits: $0) }
        }
        let counts = try limited.map { try count($0.relationship, of: numbers) }
        for number in numbers where present[number] != nil && identities[entity, number]?.isDeleted != true {
            for (limit, counts) in zip(limited, counts) {
                guard let fault = limit.limits.fault(counts[number] ?? 0) else { continue }
                throw StoreError(
                    .invalidValue,
                    fault,
                    entity: entity.name,
                    attribute: limit.relationship.name,
                    object: ObjectID(entity: entity.name, number: number)
                )
            }
        }
    }

    /// Returns how many objects a relationship leads to from each of some objects.
    private func count(_ relationship: StoredRelationship, of numbers: [Int64]) throws -> [Int64: Int] {
        try relationship.parts.reduce(into: [:]) { counts, part in
            switch part.storage {
            case .column: return
            case .inverseColumn(let column):
                let table = try schema.entity(part.destination).table
                let found = try occurrences(of: numbers, in: SQL.quoted(column), of: table)
                counts.merge(found, uniquingKeysWith: +)
            case .pairs(let table, let own):
                let found = try occurrences(of: numbers, in: own.column.description, of: table)
                counts.merge(found, uniquingKeysWith: +)
            }
        }
    }

    /// Returns how often each of some numbers is in a column.
    private func occurrences(of numbers: [Int64], in column: String, of table: TableName) throws -> [Int64: Int] {
        let values = Self.padded(numbers)
        let marks = Array(repeating: "?", count: values.count).joined(separator: ", ")
        let sql = "SELECT \(column), count(*) FROM \(table) WHERE \(column) IN (\(marks)) GROUP BY \(column)"
        let found = try rows(sql, values.map(ColumnValue.integer), count: 2)
        return Dictionary(found.map { ($0.integer(0), Int($0.integer(1))) }) { first, _ in first }
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
