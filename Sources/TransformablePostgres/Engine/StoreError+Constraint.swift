internal import TransformableModel

extension PostgresEngine {
    /// Returns an error with the entity and the attribute of a broken constraint.
    func namingConstraint(of error: StoreError) -> StoreError {
        let constraint = error.postgresError?.constraint
        // The workers of Citus add the number of a part to the names of its table and constraints.
        guard isDistributed, let table = error.entity, let end = table.lastIndex(of: "_"),
            table[end...].dropFirst().allSatisfy(\.isNumber)
        else { return error.naming(constraint) }
        var error = error
        error.entity = String(table[..<end])
        let part = String(table[end...])
        return error.naming(constraint.map { $0.hasSuffix(part) ? String($0.dropLast(part.count)) : $0 })
    }
}

extension StoreError {
    /// The same error with the entity and the attribute of a broken constraint, which its name says.
    ///
    /// Indexes are called `_index.Entity.attribute`, and references `_reference.Entity.attribute`.
    func naming(_ constraint: String?) -> Self {
        guard let constraint, let table = entity else { return self }
        var error = self
        for prefix in ["_index.\(table).", "_reference.\(table)."] where constraint.hasPrefix(prefix) {
            let names = constraint.dropFirst(prefix.count).split(separator: ".").map(String.init)
            error.attribute = attribute ?? names.first
            if code == .notUnique { error.message = "another object has the same \(names.joined(separator: " and "))" }
        }
        return error
    }
}
