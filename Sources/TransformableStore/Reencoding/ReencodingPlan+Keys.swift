internal import Transformable

extension ReencodingPlan {
    /// Throws an error if another program has a newer key, and may be writing rows with it.
    func requireNewestKeys() throws(StoreError) {
        for column in columns {
            let shared = column.compounds.map(\.projection)
            for projection in column.conversion.projections.map({ column.old.projections[$0] }) + shared {
                try projection.requireNewestKeys(of: column.entity.name)
            }
        }
    }
}

extension StoredEntity {
    /// Returns a Boolean value that indicates whether a projection of an attribute depends on a key, as far as this program
    /// can resolve it.
    func mayHaveKeyedProjection(of name: String) -> Bool {
        guard let attribute = attributeIfAny(name) else { return false }
        let shared = compounds.filter { $0.description.parts.contains { $0.attribute == name } }.map(\.projection)
        return (attribute.projections + shared).contains { $0.keys != nil || $0.failure != nil }
    }
}
