extension Store {
    /// Authenticates rows with the current key that were authenticated with a former one, as after a rotation.
    ///
    /// Each row is checked first. Writing a row, or re-encoding one of its values, does the same for that row. The store's
    /// seal is renewed with the current key too, if it was made with a former one.
    ///
    /// - Returns: The number of rows.
    /// - Throws: `StoreError` with the code `unauthenticated-row` if a row does not match its tag, or with the code
    ///   `access-denied` if row-level security of a server may hide rows. Then no row is changed.
    @discardableResult
    public func reauthenticateRows() throws -> Int {
        try Nesting.check(self)
        try requireWritable()
        try readTables { try $0.requireAllRows() }
        return try changeRows { connection in
            try watch.check(schema, on: connection)
            let count = try schema.rowSeals.reduce(0) { try $0 + $1.renewOutdated(on: connection) }
            try renewOutdatedSeal(on: connection)
            return count
        }
    }

    /// Counts authenticated rows by the identifiers of their keys.
    ///
    /// This method does not require a key.
    ///
    /// - Returns: The counts, by the entity's name.
    /// - Throws: `StoreError` if the store cannot be read, or with the code `access-denied` if row-level security of a
    ///   server may hide rows.
    public func rowKeys() throws -> [String: [String: Int]] {
        try Nesting.check(self)
        return try readTables { connection in
            try connection.requireAllRows()
            let seals = try RowSeal.all(of: Metadata(reading: connection), connection.dialect)
            return Dictionary(try seals.map { ($0.name, try $0.keys(on: connection)) }) { first, _ in first }
        }
    }
}

extension StoreSchema {
    /// The tags of all entities whose rows can be checked.
    var rowSeals: [RowSeal] { entities.compactMap(\.rowSeal) }
}
