internal import TransformableModel

extension StoreError {
    /// The same error with the entity and the attribute of a broken constraint, which its name says.
    ///
    /// Indexes are called `_index.Entity.attribute`, and references `_reference.Entity.attribute`.
    var namingConstraint: Self {
        guard let constraint = postgresError?.constraint, let table = entity else { return self }
        var error = self
        for prefix in ["_index.\(table).", "_reference.\(table)."] where constraint.hasPrefix(prefix) {
            let names = constraint.dropFirst(prefix.count).split(separator: ".").map(String.init)
            error.attribute = attribute ?? names.first
            if code == .notUnique { error.message = "another object has the same \(names.joined(separator: " and "))" }
        }
        return error
    }
}
