/// An object in a relationship, before its object is created.
struct ListedObject {
    let entity: StoredEntity
    let number: Int64
    var version: Int64?
    var position: Int64?
}

extension ManagedObject {
    /// Returns the number in a reference's column, as it is in memory.
    func reference(_ attribute: StoredAttribute) throws -> Int64? {
        let slot = try slot(attribute)
        if let failure = slot.failure { throw failure }
        return (slot as? ValueSlot<Int64>)?.value
    }

    /// Returns the objects in a relationship: those in the file, with changes in memory applied.
    func related(_ relationship: StoredRelationship) throws -> [ManagedObject] {
        guard relationship.hasColumn else { return try list(relationship).objects }
        for part in relationship.parts {
            guard case .column(let index) = part.storage, let number = try reference(entity.attributes[index]) else {
                continue
            }
            if let known = try context.deletedObject(part.destination, number) { return [known] }
            let destination = try context.schema.entity(part.destination)
            try context.readAhead(following: entity.attributes[index], of: entity, to: destination, number)
            return try context.objectIfPresent(ObjectID(entity: part.destination, number: number)).map { [$0] } ?? []
        }
        return []
    }

    /// The same for references in other tables, in their order.
    func listed(_ relationship: StoredRelationship) throws -> [ListedObject] {
        var list: [ListedObject] = []
        for part in relationship.parts {
            let destination = try context.schema.entity(part.destination)
            switch part.storage {
            case .column: break
            case .inverseColumn(let column):
                list += try context.listed(self, by: destination.attribute(column), of: destination, relationship)
            case .pairs(let table, let own):
                list += try paired(table, own: own, destination, relationship)
            }
        }
        try list.removeAll { entry in
            guard let known = context.identities[entry.entity, entry.number], known.isDeleted else { return false }
            // A pair says nothing about the version of its object, which another context may have restored.
            guard known.state == .gone, entry.version == nil else { return true }
            return try context.objectIfPresent(known.id) == nil
        }
        return list.sorted { left, right in
            (left.position == nil ? 1 : 0, left.position ?? 0, left.entity.index, left.number)
                < (right.position == nil ? 1 : 0, right.position ?? 0, right.entity.index, right.number)
        }
    }

    /// Returns a Boolean value that indicates whether an attribute's value may differ from that in the file.
    fileprivate func knows(_ attribute: StoredAttribute) -> Bool {
        !isFault || values[attribute.index] != nil
    }

    /// Returns a Boolean value that indicates whether a relationship without a column contains an object.
    func isLinked(to object: ManagedObject, _ relationship: StoredRelationship) throws -> Bool {
        guard
            case .pairs(let table, let own)? = relationship.part(object.entity.name)?.storage
        else {
            return try list(relationship).contains(object)
        }
        let key = PairEdits.Key(table, own: own, number, object.number)
        if let edit = context.work.pairs[key] { return edit.isPresent }
        guard state != .inserted, object.state != .inserted else { return false }
        if let list = try lookupList(relationship) { return list.contains(object) }
        return try context.hasStoredPair(key)
    }

    private func paired(
        _ table: TableName,
        own: PairSide,
        _ destination: StoredEntity,
        _ relationship: StoredRelationship
    ) throws -> [ListedObject] {
        let isOrdered = relationship.description.isOrdered
        var found: [Int64: Int64?] = [:]
        if state != .inserted {
            let columns = ([own.opposite.column] + (isOrdered ? [own.positionColumn] : [])).map(\.description)
            let visible = context.schema.visiblePairs(table)
            let rows = try context.referringRows(
                columns,
                in: visible,
                by: own.column.description,
                of: destination,
                to: self,
                relationship
            )
            for row in rows {
                found.updateValue(isOrdered && !row.isNull(1) ? row.integer(1) : nil, forKey: row.integer(0))
            }
        }
        for (number, edit) in context.work.pairs.edits(table, own: own, number) {
            let known = found.removeValue(forKey: number)
            guard edit.isPresent, !edit.isStored || known != nil else { continue }
            // An object that was changed from the other side keeps its position.
            found.updateValue(edit.positions[own] ?? known.flatMap(\.self), forKey: number)
        }
        return found.map { ListedObject(entity: destination, number: $0.key, position: $0.value) }
    }
}

extension StoreContext {
    /// Returns an object that is marked as deleted, if relationships still include it.
    fileprivate func deletedObject(_ entity: String, _ number: Int64) throws -> ManagedObject? {
        guard hookState.showsDeleted, let object = identities[try schema.entity(entity), number] else { return nil }
        return object.state == .deleted ? object : nil
    }

    /// Returns the objects whose reference leads to an object, including those that have not been written yet.
    fileprivate func listed(
        _ object: ManagedObject,
        by attribute: StoredAttribute,
        of entity: StoredEntity,
        _ relationship: StoredRelationship? = nil
    ) throws -> [ListedObject] {
        let isOrdered = relationship?.description.isOrdered == true
        let place = try isOrdered ? relationship?.inverse.flatMap { try entity.relationship($0.name).position } : nil
        let position = place.map { entity.attributes[$0] }
        var found: [ListedObject] = []
        var pending = links.sources(entity, attribute, object.number)
        if object.state != .inserted {
            let columns = ["_id", "_version"] + (position.map { [$0.name] } ?? [])
            let list = columns.map(SQL.quoted) + [entity.rowSeal?.check(besides: columns)].compactMap(\.self)
            let column = SQL.quoted(attribute.name)
            for row in try referringRows(list, in: entity.visible, by: column, of: entity, to: object, relationship) {
                var entry = ListedObject(entity: entity, number: row.integer(0), version: row.integer(1))
                known(entity, entry.number, version: row.integer(1))
                // For an object that was changed here, its reference in memory counts.
                if let known = identities[entity, entry.number], known.isNoted, known.knows(attribute) {
                    pending.insert(entry.number)
                    continue
                }
                if position != nil, !row.isNull(2) { entry.position = row.integer(2) }
                found.append(entry)
            }
        }
        for number in pending {
            guard let known = identities[entity, number], known.isNoted, !known.isDeleted,
                try known.reference(attribute) == object.number
            else { continue }
            let position = try position.flatMap(known.reference)
            found.append(ListedObject(entity: entity, number: number, position: position))
        }
        return found
    }

    /// Returns the objects whose reference leads to an object, including those that have not been written yet.
    func referrers(
        to object: ManagedObject,
        by attribute: StoredAttribute,
        of entity: StoredEntity
    ) throws -> [ManagedObject] {
        try listed(object, by: attribute, of: entity)
            .map { found in
                guard let version = found.version else { return fault(entity, found.number) }
                return fault(entity, found.number, version: version)
            }
            .filter { !$0.isDeleted }
            .sorted { $0.number < $1.number }
    }
}
