internal import Transformable

extension ManagedObject {
    /// Gives the object that a relationship to one leads to.
    ///
    /// - Parameter name: The relationship's name.
    /// - Returns: The object; nil if it leads nowhere.
    /// - Throws: ``StoreError`` with ``StoreError/Code/unknownAttribute``, or ``StoreError/Code/wrongType`` for one
    ///   to many.
    public func object(_ name: String) throws -> ManagedObject? {
        let relationship = try relationship(name, isToMany: false)
        return try related(relationship).first
    }

    /// Gives the objects that a relationship to many leads to, in the order of their numbers.
    ///
    /// - Parameter name: The relationship's name.
    /// - Returns: The objects.
    /// - Throws: ``StoreError`` with ``StoreError/Code/unknownAttribute``, or ``StoreError/Code/wrongType`` for one
    ///   to one.
    public func objects(_ name: String) throws -> [ManagedObject] {
        let relationship = try relationship(name, isToMany: true)
        return try related(relationship)
    }

    /// Lets a relationship to one lead to an object; the other side follows.
    ///
    /// - Parameters:
    ///   - object: The object, of the relationship's destination; nil lets it lead nowhere.
    ///   - name: The relationship's name.
    /// - Throws: ``StoreError``: ``StoreError/Code/unknownAttribute``, ``StoreError/Code/wrongType`` or
    ///   ``StoreError/Code/readOnly``.
    public func setObject(_ object: ManagedObject?, for name: String) throws {
        let relationship = try relationship(name, isToMany: false)
        try object.map { try requireKind($0, relationship) }
        switch relationship.storage {
        case .column(let index):
            if let object, try isOneToOne(relationship) {
                // Whoever led there before does so no longer.
                for holder in try context.referrers(to: object, by: entity.attributes[index], of: entity) {
                    try holder.setReference(nil, entity.attributes[index])
                }
            }
            try setReference(object?.number, entity.attributes[index])
        case .inverseColumn(let column):
            for other in try related(relationship) where other !== object {
                try other.setReference(nil, other.entity.attribute(column))
            }
            try object?.setReference(number, object?.entity.attribute(column))
        case .pairs: break
        }
    }

    /// Adds an object to those that a relationship to many leads to; the other side follows.
    ///
    /// - Parameters:
    ///   - object: The object, of the relationship's destination; one that is there already changes nothing.
    ///   - name: The relationship's name.
    /// - Throws: ``StoreError``: ``StoreError/Code/unknownAttribute``, ``StoreError/Code/wrongType`` or
    ///   ``StoreError/Code/readOnly``.
    public func add(_ object: ManagedObject, to name: String) throws {
        let relationship = try relationship(name, isToMany: true)
        try requireKind(object, relationship)
        switch relationship.storage {
        case .inverseColumn(let column):
            try object.setReference(number, object.entity.attribute(column))
        case .pairs(let table, let own, let other):
            try writePair("INSERT OR IGNORE INTO \(table) (\(own), \(other)) VALUES (?, ?)", object)
        case .column: break
        }
    }

    /// Removes an object from those that a relationship to many leads to; the other side follows.
    ///
    /// - Parameters:
    ///   - object: The object; one that is not there changes nothing.
    ///   - name: The relationship's name.
    /// - Throws: ``StoreError``: ``StoreError/Code/unknownAttribute``, ``StoreError/Code/wrongType`` or
    ///   ``StoreError/Code/readOnly``.
    public func remove(_ object: ManagedObject, from name: String) throws {
        let relationship = try relationship(name, isToMany: true)
        try requireKind(object, relationship)
        switch relationship.storage {
        case .inverseColumn(let column):
            let attribute = try object.entity.attribute(column)
            if try object.reference(attribute) == number { try object.setReference(nil, attribute) }
        case .pairs(let table, let own, let other):
            try writePair("DELETE FROM \(table) WHERE \(own) = ? AND \(other) = ?", object)
        case .column: break
        }
    }
}

// MARK: - References

extension ManagedObject {
    private func relationship(_ name: String, isToMany: Bool) throws(StoreError) -> StoredRelationship {
        let relationship = try entity.relationship(name)
        guard relationship.description.isToMany == isToMany else {
            let kind = isToMany ? "one object; use object(_:)" : "many objects; use objects(_:)"
            throw StoreError(.wrongType, "it leads to \(kind)", entity: entity.name, attribute: name)
        }
        return relationship
    }

    private func requireKind(_ object: ManagedObject, _ relationship: StoredRelationship) throws(StoreError) {
        try context.requireWritable()
        guard object.context === context, !object.isDeleted, !isDeleted else {
            throw StoreError(
                .misuse,
                "the object belongs to another context, or has been deleted",
                entity: entity.name,
                attribute: relationship.name,
                object: object.id
            )
        }
        guard object.entity.name == relationship.destination else {
            throw StoreError(
                .wrongType,
                "it leads to objects of \(relationship.destination), not of \(object.entity.name)",
                entity: entity.name,
                attribute: relationship.name
            )
        }
    }

    private func isOneToOne(_ relationship: StoredRelationship) throws -> Bool {
        let plan = RelationshipPlan(model: context.schema.model)
        return plan.inverse(of: relationship.description, in: entity.name)?.isToMany == false
    }

    /// The number in a reference's column, as it is in memory.
    func reference(_ attribute: StoredAttribute) throws -> Int64? {
        let slot = try slot(attribute)
        if let failure = slot.failure { throw failure }
        return (slot as? ValueSlot<Int64>)?.value
    }

    func setReference(_ number: Int64?, _ attribute: StoredAttribute?) throws {
        guard let attribute else { return }
        try setValue(any: number, for: attribute.name)
    }

    private func writePair(_ sql: String, _ object: ManagedObject) throws {
        let statement = try context.statement(sql)
        try statement.bind(number, at: 1)
        try statement.bind(object.number, at: 2)
        try statement.run()
        guard context.schema.hasLimits else { return }
        context.recount(id)
        context.recount(object.id)
    }

    /// The objects that a relationship leads to: what the file says, as changed in memory.
    func related(_ relationship: StoredRelationship) throws -> [ManagedObject] {
        let destination = try context.schema.entity(relationship.destination)
        switch relationship.storage {
        case .column(let index):
            guard let number = try reference(entity.attributes[index]) else { return [] }
            let id = ObjectID(entity: destination.name, number: number)
            return try context.objectIfAny(id).map { [$0] } ?? []
        case .inverseColumn(let column):
            return try context.referrers(to: self, by: destination.attribute(column), of: destination)
        case .pairs(let table, let own, let other):
            let sql = "SELECT \(other) FROM \(table) WHERE \(own) = ? ORDER BY 1"
            let numbers = try SQLStatement.rows(sql, [.integer(number)], count: 1, on: context.database())
            return try numbers.compactMap {
                try context.objectIfAny(ObjectID(entity: destination.name, number: $0.integer(0)))
            }
        }
    }
}

extension StoreContext {
    /// The objects whose reference leads to an object, those included that are not written yet.
    func referrers(
        to object: ManagedObject,
        by attribute: StoredAttribute,
        of entity: StoredEntity
    ) throws -> [ManagedObject] {
        let sql = "SELECT \"_id\" FROM \(entity.table) WHERE \(SQL.quoted(attribute.name)) = ?"
        let rows = try SQLStatement.rows(sql, [.integer(object.number)], count: 1, on: database())
        var numbers = Set(rows.map { $0.integer(0) })
        for pending in changed where pending.entity === entity {
            let leadsThere = try !pending.isDeleted && pending.reference(attribute) == object.number
            if leadsThere { numbers.insert(pending.number) } else { numbers.remove(pending.number) }
        }
        return try numbers.sorted().compactMap { try objectIfAny(ObjectID(entity: entity.name, number: $0)) }
    }
}

// MARK: - Deletion

extension StoreContext {
    /// Follows the delete rules of everything that is about to be deleted.
    ///
    /// - Throws: ``StoreError`` with ``StoreError/Code/deletionDenied``, naming the objects in the way.
    func enforceDeleteRules() throws {
        guard schema.hasRelationships else { return }
        var denials: [(object: ManagedObject, name: String, others: [ManagedObject])] = []
        // Cascades add to the list.
        while let object = takeDeleted() {
            for relationship in object.entity.relationships {
                let others = try object.leaving(relationship)
                switch relationship.description.deleteRule {
                case .cascade: for other in others { try delete(other) }
                case .deny: denials.append((object, relationship.name, others))
                case .nullify, .noAction: break
                }
            }
            try detach(object)
        }
        for denial in denials {
            let others = denial.others.filter { !$0.isDeleted }
            guard !others.isEmpty else { continue }
            let list = others.prefix(10).map(\.id.description).joined(separator: ", ")
            throw StoreError(
                .deletionDenied,
                "it leads to \(list)\(others.count > 10 ? " and \(others.count - 10) more" : ""), which are not deleted",
                entity: denial.object.entity.name,
                attribute: denial.name,
                object: denial.object.id
            )
        }
    }

    /// Empties the references to an object, in columns and in pairs.
    private func detach(_ object: ManagedObject) throws {
        for (index, attribute) in schema.references(to: object.entity) {
            let owner = schema.entities[index]
            guard !schema.keepsReferences(to: object.entity, by: attribute, of: owner) else { continue }
            for other in try referrers(to: object, by: attribute, of: owner) {
                try other.setReference(nil, attribute)
            }
        }
        if schema.hasLimits { try recountPartners(of: object) }
        for (table, column) in schema.pairs(with: object.entity) {
            let statement = try statement("DELETE FROM \(table) WHERE \(column) = ?")
            try statement.bind(object.number, at: 1)
            try statement.run()
        }
    }
}

extension StoreContext {
    /// Notes the objects that are about to lose a pair with an object.
    private func recountPartners(of object: ManagedObject) throws {
        for (table, column, partner, entity) in schema.partners(of: object.entity) {
            let sql = "SELECT \(partner) FROM \(table) WHERE \(column) = ?"
            for row in try SQLStatement.rows(sql, [.integer(object.number)], count: 1, on: database()) {
                recount(ObjectID(entity: entity, number: row.integer(0)))
            }
        }
    }
}

extension ManagedObject {
    /// What a relationship leads to, of an object that is marked as deleted.
    fileprivate func leaving(_ relationship: StoredRelationship) throws -> [ManagedObject] {
        let deleted = state
        state = deleted == .gone ? .inserted : .stored
        defer { state = deleted }
        return try related(relationship).filter { $0 !== self }
    }
}
