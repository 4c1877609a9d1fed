public import TransformableModel
internal import TransformableSQLite
internal import TransformableStore

/// A reference of a to-many relationship in a Core Data store.
public struct CoreDataReference: Sendable, Hashable {
    /// The object that has the relationship.
    public let object: ObjectID
    /// The related object.
    public let related: ObjectID
    /// The related object's position, or `nil` if the relationship is not ordered.
    ///
    /// Positions ascend, and have gaps.
    public let position: Int64?
}

extension CoreDataStore {
    /// Passes the references of a to-many relationship to a closure, in no particular order.
    ///
    /// References to or from objects that do not exist are left out. Memory use does not depend on the number of
    /// references.
    ///
    /// - Parameters:
    ///   - relationship: The relationship's name.
    ///   - entity: The name of the entity that declares it.
    ///   - body: A closure that receives a reference.
    /// - Throws: `CoreDataError` with the code `unknown-name` if the entity declares no such to-many
    ///   relationship, with `damaged-store`, or with `busy` if the store has been
    ///   changed in the meantime; and errors thrown by the closure.
    public func forEachReference(
        of relationship: String,
        in entity: String,
        _ body: (CoreDataReference) throws -> Void
    ) throws {
        guard let found = model.entity(entity)?.relationships.first(where: { $0.name == relationship }), found.isToMany
        else {
            let reason = "there is no such to-many relationship"
            throw CoreDataError(.unknownName, reason, entity: entity, property: relationship)
        }
        let names = entityNames
        func pass(_ pair: PairScan.Pair) throws {
            guard let owner = pair.owner.entity.flatMap({ names[$0] }),
                let related = pair.related.entity.flatMap({ names[$0] })
            else { return }
            let object = ObjectID(entity: owner, number: pair.owner.number)
            let other = ObjectID(entity: related, number: pair.related.number)
            try body(CoreDataReference(object: object, related: other, position: pair.position))
        }
        try read { reader in
            if let (scan, isReversed) = pairScan(relationship, entity) {
                try scan.run(reader) { try pass(isReversed ? $0.reversed : $0) }
            } else {
                try forEachRowReference(found, entity, reader, pass)
            }
        }
    }

    /// Returns the pass over a table of pairs, and whether its relationship is the inverse.
    private func pairScan(_ relationship: String, _ entity: String) -> (scan: PairScan, isReversed: Bool)? {
        for pair in layout.pairs {
            for (side, isReversed) in [(pair.first, false), (pair.second, true)]
            where side.entity == entity && side.relationship.name == relationship {
                return (PairScan(pair, layout, tables), isReversed)
            }
        }
        return nil
    }

    /// Passes references that are stored in the rows of the related objects.
    private func forEachRowReference(
        _ relationship: CoreDataRelationship,
        _ entity: String,
        _ reader: ForeignReader,
        _ body: (PairScan.Pair) throws -> Void
    ) throws {
        guard let destination = layout.places[relationship.destination] else { return }
        var scan = TableScan(destination.table, layout, tables)
        let stray = scan.strays.first { $0.place.entity == entity && $0.place.relationship.name == relationship.name }
        let back = destination.references.first { $0.relationship.name == relationship.inverse }
        let reference = back.map { scan.reference($0) }
        guard let value = stray?.value ?? reference?.value, let target = stray?.target ?? reference?.target else {
            return
        }
        let order = stray?.order ?? reference?.order
        try scan.run(reader) { row in
            guard row.kind(value) == .integer, row.kind(target) == .integer else { return true }
            let owner = PairScan.Object(number: row.integer(value), entity: row.integer(target))
            let related = PairScan.Object(number: row.integer(TableScan.number), entity: row.integer(TableScan.entity))
            let position = order.flatMap { row.kind($0) == .integer ? row.integer($0) : nil }
            try body(PairScan.Pair(owner: owner, related: related, position: position, backPosition: nil))
            return true
        }
    }
}
