extension StoreContext {
    /// Makes both sides agree in to-one relationships that are their own inverse, after a merge has chosen an object's
    /// side.
    ///
    /// The columns of both sides are in different rows, of which the other context may have changed only one.
    func settlePartners(after conflict: MergeConflict) throws {
        let object = conflict.object
        guard object.state == .stored else { return }
        for relationship in object.entity.relationships where relationship.isOwnInverse && relationship.hasColumn {
            guard (conflict.mine + conflict.theirs).contains(relationship.name) else { continue }
            let partner = try object.related(relationship).first
            try clearReferences(to: object, relationship.name, except: partner)
            guard let partner, partner !== object else { continue }
            try bringUpToDate(partner)
            let back = try partner.entity.relationship(relationship.name)
            if try partner.related(back).first !== object { try partner.lead(back, to: object) }
            try clearReferences(to: partner, relationship.name, except: object)
        }
    }

    /// Reads an unchanged object's row again, because the other context may have written it as well.
    private func bringUpToDate(_ object: ManagedObject) throws {
        try forEachCurrentRow(of: [object]) { object, current in
            if let current, object.isOutdated(by: current.version) { object.fill(current.row, current.version) }
        }
    }

    /// Clears the references to an object from objects other than its partner.
    private func clearReferences(to object: ManagedObject, _ name: String, except partner: ManagedObject?) throws {
        for entity in schema.entities {
            guard let relationship = entity.relationships.first(where: { $0.name == name && $0.isOwnInverse }),
                case .column(let index)? = relationship.part(object.entity.name)?.storage
            else { continue }
            for other in try referrers(to: object, by: entity.attributes[index], of: entity) where other !== partner {
                try other.lead(relationship, to: nil)
            }
        }
    }
}
