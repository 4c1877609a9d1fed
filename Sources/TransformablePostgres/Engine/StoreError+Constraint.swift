internal import TransformableModel

extension PostgresEngine {
    /// Returns an error with the entity and the attribute of a broken constraint.
    func namingConstraint(of error: StoreError) -> StoreError {
        guard let server = error.postgresError else { return error }
        guard isDistributed else { return error.naming(server.constraint) }
        var error = error
        if let table = server.table, error.entity == table { error.entity = ShardName.whole(table) }
        guard let part = server.constraint, let constraint = ShardName.whole(part) else { return error }
        error.message = error.message.replacing(part, with: constraint)
        return error.naming(constraint)
    }
}

/// The names of the parts of tables and constraints that Citus distributes.
enum ShardName {
    /// The number of bytes that PostgreSQL keeps of a name.
    private static let limit = 63

    /// Returns the name without the number of the part, or `nil` if Citus has cut it.
    ///
    /// A name that would become too long ends with the 8 digits of a hash and the number.
    static func whole(_ name: String) -> String? {
        guard let end = name.lastIndex(of: "_"), case let number = name[end...].dropFirst(), !number.isEmpty,
            number.allSatisfy(\.isNumber)
        else { return name }
        let whole = name[..<end]
        let hash = whole.split(separator: "_").last ?? ""
        let isCut = name.utf8.count == limit && hash.count == 8 && hash.allSatisfy(\.isHexDigit)
        return isCut ? nil : String(whole)
    }
}

extension StoreError {
    /// The same error with the entity and the attribute of a broken constraint, which its name says.
    ///
    /// Indexes are called `_index.Entity.attribute`, and references `_reference.Entity.attribute`.
    func naming(_ constraint: String?) -> Self {
        // A name that was too long for PostgreSQL ends with a tilde and a hash.
        guard let constraint, !constraint.contains("~") else { return self }
        var error = self
        for prefix in ["_index.", "_reference."] where constraint.hasPrefix(prefix) {
            let place = constraint.dropFirst(prefix.count)
            let table = entity ?? Self.table(in: place)
            guard place.hasPrefix("\(table).") else { continue }
            let names = place.dropFirst(table.count + 1).split(separator: ".").map(String.init)
            error.entity = table
            error.attribute = attribute ?? names.first
            if code == .notUnique { error.message = "another object has the same \(names.joined(separator: " and "))" }
        }
        return error
    }

    /// Returns the name of the table at the beginning of a constraint's name.
    private static func table(in place: Substring) -> String {
        let names = place.split(separator: ".")
        return names.prefix(names.first == "_pairs" ? 3 : 1).joined(separator: ".")
    }
}
