/// A reference of a one-to-one relationship that was set in this context.
private struct Claim {
    let object: ManagedObject
    let relationship: StoredRelationship
    /// The object that the reference leads to.
    let target: ManagedObject
    /// The relationship of the target that leads back.
    let inverse: String
}

extension StoreContext {
    /// Makes only one object lead to each object of a one-to-one relationship, if this context and another one have set it
    /// to different objects.
    ///
    /// The references are in the rows of these objects, none of which both contexts have changed, so there is no conflict
    /// of rows.
    ///
    /// - Parameter takesTheirs: Whether the object that the other context has chosen keeps its reference.
    /// - Returns: The objects that lose theirs.
    /// - Throws: `StoreError` if the file cannot be read, and errors thrown by hooks.
    func settleClaims(takingTheirs takesTheirs: Bool) throws -> [ManagedObject] {
        guard schema.hasLimits else { return [] }
        let claims = try work.changed.filter { !$0.isDeleted }.flatMap { try self.claims(of: $0) }
        var changed: [ManagedObject] = []
        for start in stride(from: 0, to: claims.count, by: Self.batch) {
            let part = claims[start..<min(start + Self.batch, claims.count)]
            for (claim, others) in try zip(part, rivals(to: part)) where !others.isEmpty {
                try joined(toChangesOf: claim.object, at: claim.relationship.columns) {
                    for loser in takesTheirs ? [claim.object] : others {
                        try loser.lead(loser.entity.relationship(claim.relationship.name), to: nil)
                        changed.append(loser)
                    }
                }
            }
        }
        return changed
    }

    private func claims(of object: ManagedObject) throws -> [Claim] {
        try object.entity.relationships.flatMap { relationship -> [Claim] in
            guard relationship.hasColumn, !relationship.isOwnInverse, let inverse = relationship.inverse,
                !inverse.isToMany
            else { return [] }
            return try relationship.parts.compactMap { part -> Claim? in
                guard case .column(let index) = part.storage, object.values.isUnsaved(index),
                    let number = try object.reference(object.entity.attributes[index])
                else { return nil }
                let target = fault(try schema.entity(part.destination), number)
                guard target.state == .stored else { return nil }
                return Claim(object: object, relationship: relationship, target: target, inverse: inverse.name)
            }
        }
    }

    /// Returns the other objects that lead to the target of each claim, unless they were made to in this context.
    private func rivals(to claims: ArraySlice<Claim>) throws -> [[ManagedObject]] {
        referrers = ReferringRows(to: claims.map(\.target))
        defer { referrers = nil }
        return try claims.map { claim in
            let back = try claim.target.entity.relationship(claim.inverse)
            return try claim.target.related(back)
                .filter { other in
                    let relationship = try other.entity.relationship(claim.relationship.name)
                    return other !== claim.object && !relationship.columns.contains(where: other.values.isUnsaved)
                }
        }
    }
}
