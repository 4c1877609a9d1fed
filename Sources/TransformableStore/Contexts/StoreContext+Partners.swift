/// Relationships that are their own inverse, such as that of a couple.
///
/// The columns of both sides are in different rows, of which another context may have changed only one.
extension StoreContext {
    /// Reads the partners that this context and the other one have given an object, before their conflict is settled.
    ///
    /// If a hook failed for one of them later, the next save would not find the conflict again.
    func readPartners(of conflict: MergeConflict) throws {
        let object = conflict.object
        for relationship in object.entity.mutualReferences {
            if conflict.mine.contains(relationship.name) { try object.related(relationship).first?.requireRow() }
            guard conflict.theirs.contains(relationship.name),
                let id = try conflict.theirs(relationship.name, as: ObjectID?.self),
                let partner = try objectIfPresent(id)
            else { continue }
            _ = try bringUpToDate(partner)
            try partner.requireRow()
        }
    }

    /// Makes both sides of an object's relationships agree after a merge has chosen the object's side.
    ///
    /// - Returns: The other objects that were changed.
    func settlePartners(after conflict: MergeConflict) throws -> [ManagedObject] {
        let object = conflict.object
        return try object.entity.mutualReferences
            .flatMap { relationship -> [ManagedObject] in
                let isMine = conflict.mine.contains(relationship.name)
                return try joined(toChangesOf: object, at: relationship.columns) {
                    if conflict.kind == .deletedByOther {
                        if !isMine { try leaveLostPartner(of: object, relationship) }
                    } else if !isMine, !conflict.theirs.contains(relationship.name) {
                        return []
                    }
                    return try settlePartner(of: object, relationship)
                }
            }
    }

    /// Makes both sides of an object's relationships agree after its deletion was given up.
    ///
    /// If its partner has another one since the deletion, the object has none.
    ///
    /// - Returns: The other objects that were changed.
    func settlePartners(ofRevived object: ManagedObject) throws -> [ManagedObject] {
        try object.entity.mutualReferences
            .flatMap { relationship -> [ManagedObject] in
                try joined {
                    try leaveLostPartner(of: object, relationship)
                    return try settlePartner(of: object, relationship)
                }
            }
    }

    /// Makes both sides of an object's relationships agree after some of its attributes were changed here or by another
    /// context, or after changes of them were discarded.
    ///
    /// - Returns: The other objects that were changed.
    @discardableResult
    func settlePartners(
        of object: ManagedObject,
        concernedBy attributes: [StoredAttribute]
    ) throws -> [ManagedObject] {
        let concerned = Set(attributes.map(\.index))
        return try object.entity.mutualReferences.filter { !concerned.isDisjoint(with: $0.columns) }
            .flatMap { relationship -> [ManagedObject] in
                try joined(toChangesOf: object, at: relationship.columns) {
                    try settlePartner(of: object, relationship)
                }
            }
    }

    /// Makes both sides of the relationships agree that were set here, before they are written.
    ///
    /// A former partner may have been read before another context made it one, so that nothing was cleared.
    ///
    /// - Returns: The other objects that were changed.
    func settlePartnersOfChanged() throws -> [ManagedObject] {
        let objects = work.changed.filter { object in
            !object.isDeleted
                && object.entity.mutualReferences.contains { $0.columns.contains(where: object.values.isUnsaved) }
        }
        var changed: [ManagedObject] = []
        for start in stride(from: 0, to: objects.count, by: Self.batch) {
            let part = Array(objects[start..<min(start + Self.batch, objects.count)])
            referrers = ReferringRows(to: part)
            defer { referrers = nil }
            for object in part {
                let unsaved = object.entity.columns.filter { object.values.isUnsaved($0.index) }
                changed += try settlePartners(of: object, concernedBy: unsaved)
            }
        }
        return changed
    }

    /// Makes the partner of an object lead back to it, and everyone else to neither of them.
    ///
    /// An object that another context has deleted has no partner.
    ///
    /// - Returns: The other objects that were changed.
    private func settlePartner(
        of object: ManagedObject,
        _ relationship: StoredRelationship
    ) throws -> [ManagedObject] {
        // If the merge has deleted it, the delete rules apply.
        guard object.state != .deleted else { return [] }
        let partner = object.isDeleted ? nil : try object.related(relationship).first
        var changed = try clearReferences(to: object, relationship.name, except: partner)
        guard let partner, partner !== object else { return changed }
        // If another context has deleted it, the save reports the reference.
        guard try partner.hasStoredChanges || bringUpToDate(partner) else { return changed }
        let back = try partner.entity.relationship(relationship.name)
        if try partner.related(back).first !== object {
            try partner.lead(back, to: object)
            changed.append(partner)
        }
        return changed + (try clearReferences(to: partner, relationship.name, except: object))
    }

    /// Clears the reference of an object that is inserted again or not deleted after all, if the partner that it had when
    /// it was read no longer exists or has another partner now.
    private func leaveLostPartner(of object: ManagedObject, _ relationship: StoredRelationship) throws {
        guard object.state == .stored else { return }
        if let partner = try object.related(relationship).first, try bringUpToDate(partner) {
            let other = try partner.related(partner.entity.relationship(relationship.name)).first
            if other == nil || other === object { return }
        }
        try object.lead(relationship, to: nil)
    }

    /// Clears the references of an object that is inserted again, if they lead to objects that no longer exist, or that
    /// have another object in a one-to-one relationship now.
    ///
    /// References that were set here stay, so that the save reports them.
    func leaveLostObjects(after conflict: MergeConflict) throws {
        let object = conflict.object
        guard conflict.kind == .deletedByOther, object.state == .stored else { return }
        let relationships = object.entity.relationships.filter { $0.hasColumn && !$0.isOwnInverse }
        for relationship in relationships where !conflict.mine.contains(relationship.name) {
            if let other = try object.related(relationship).first, try bringUpToDate(other),
                try !hasRival(of: object, relationship, at: other)
            {
                continue
            }
            try joined(toChangesOf: object, at: relationship.columns) { try object.lead(relationship, to: nil) }
        }
    }

    /// Returns a Boolean value that indicates whether another object leads to an object's partner in a one-to-one
    /// relationship.
    private func hasRival(
        of object: ManagedObject,
        _ relationship: StoredRelationship,
        at partner: ManagedObject
    ) throws -> Bool {
        guard let inverse = relationship.inverse, !inverse.isToMany else { return false }
        return try partner.related(partner.entity.relationship(inverse.name)).contains { $0 !== object }
    }

    /// Reads an unchanged object's row again, because the other context may have written it as well.
    ///
    /// - Returns: Whether the object exists, or will after the save.
    private func bringUpToDate(_ object: ManagedObject) throws -> Bool {
        let current = try row(object.entity, object.number)
        if let current, object.isOutdated(by: current.version) {
            object.fill(current.row, current.version)
            try object.didLoad()
        }
        return current != nil || object.isInserted || object.hasStoredChanges
    }

    /// Clears the references to an object from objects other than its partner, and returns these objects.
    private func clearReferences(
        to object: ManagedObject,
        _ name: String,
        except partner: ManagedObject?
    ) throws -> [ManagedObject] {
        var changed: [ManagedObject] = []
        for entity in schema.entities {
            guard let relationship = entity.mutualReferences.first(where: { $0.name == name }),
                case .column(let index)? = relationship.part(object.entity.name)?.storage
            else { continue }
            for other in try referrers(to: object, by: entity.attributes[index], of: entity) where other !== partner {
                try other.lead(relationship, to: nil)
                changed.append(other)
            }
        }
        return changed
    }
}

extension StoredEntity {
    /// The to-one relationships that are their own inverse.
    fileprivate var mutualReferences: [StoredRelationship] {
        relationships.filter { $0.isOwnInverse && $0.hasColumn }
    }
}
