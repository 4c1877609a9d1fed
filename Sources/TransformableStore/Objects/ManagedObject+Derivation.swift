internal import Foundation

/// Derived attributes.
///
/// Those with a column have no slot that could change: their cells are computed whenever the row is written.
extension ManagedObject {
    /// Returns the derived attributes whose cells change along with the given attributes.
    func derived(with changed: [StoredAttribute]) -> [StoredAttribute] {
        guard !entity.derived.isEmpty, !changed.isEmpty || state == .inserted else { return [] }
        return entity.derived.filter { attribute in
            guard let source = attribute.derivation?.sourceAttribute else { return true }
            return changed.contains { $0.name == source }
        }
    }

    /// Returns the cell of a derived attribute.
    func cell(_ attribute: StoredAttribute, by derivation: Derivation) throws -> ColumnValue {
        let place = context.place(of: number, attribute, entity)
        guard let source = derivation.sourceAttribute else {
            return try attribute.encode(attribute.slot(any: Date()), in: place)
        }
        let origin = try entity.attribute(source)
        guard case .text(let text) = try origin.draft(decoded(origin), in: place) else { return .null }
        return try attribute.encode(attribute.slot(any: derivation.text(from: text)), in: place)
    }

    /// Forgets the values of derived attributes, because the row has new ones.
    func forgetDerived() {
        guard !slots.isEmpty else { return }
        for attribute in entity.derived { slots[attribute.index] = nil }
    }

    /// Returns a slot with the number of objects in a relationship, including pending changes.
    func countSlot(_ attribute: StoredAttribute, of relationship: String) throws -> Slot {
        try attribute.slot(any: Int64(list(entity.relationship(relationship)).objects.count))
    }

    func derivedRefusal(_ attribute: StoredAttribute) -> StoreError {
        StoreError(
            .invalidValue,
            "it is derived (\(attribute.derivation?.description ?? "")), so it cannot be set",
            entity: entity.name,
            attribute: attribute.name,
            object: id
        )
    }
}
