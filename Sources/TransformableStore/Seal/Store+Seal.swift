extension Store {
    /// Whether the store's model and tables were verified, accepted, or created when the store was opened.
    ///
    /// Verification requires a secret key in the registry. A store that was opened without one, and a store in memory,
    /// are not authenticated.
    public var isAuthenticated: Bool { isVerified && isShared }

    /// Returns the identifier of the key that the store's model and tables are sealed with.
    ///
    /// - Returns: The identifier, or `nil` if there is no seal.
    /// - Throws: `StoreError` if the file cannot be read.
    public func sealKey() throws -> String? {
        try read(in: wholeScope) { try StoreSeal.record(on: $0.database())?.key }
    }

    /// Whether the seal was made with a former key, as after a rotation.
    ///
    /// - Throws: `StoreError` if the file cannot be read.
    package var isSealOutdated: Bool {
        get throws {
            try seal.map { seal in try read(in: wholeScope) { try isOutdated(seal, on: $0.database()) } } ?? false
        }
    }

    /// Renews a seal that was made with a former key, so that the former key can no longer open the store.
    ///
    /// - Throws: `StoreError` if the seal does not match, or if the file cannot be written.
    package func renewOutdatedSeal() throws {
        try Nesting.check(self)
        try requireWritable()
        try engine.retrying { try engine.transact { try renewOutdatedSeal(on: $0) } }
    }

    private func renewOutdatedSeal(on connection: any EngineConnection) throws {
        guard let seal, try isOutdated(seal, on: connection) else { return }
        try resealing(movingOn: true, on: connection) {}
    }

    private func isOutdated(_ seal: StoreSeal, on connection: any EngineConnection) throws -> Bool {
        try StoreSeal.record(on: connection).map(seal.isOutdated) ?? false
    }

    /// Runs a closure that changes what the seal covers, and renews the seal in the same transaction.
    ///
    /// The seal is verified first, so that it never covers changes made by someone else.
    ///
    /// - Parameters:
    ///   - movesOn: Whether the new seal uses the current key, rather than a former one that is still in use.
    ///   - connection: The connection that writes.
    ///   - body: A closure that changes what the seal covers.
    /// - Returns: The result of the closure.
    /// - Throws: `StoreError` with the code `unauthenticated-model` if the seal does not match, and errors
    ///   thrown by the closure.
    func resealing<Result>(
        movingOn movesOn: Bool = false,
        on connection: any EngineConnection,
        _ body: () throws -> Result
    ) throws -> Result {
        guard let seal else {
            guard try StoreSeal.record(on: connection) == nil else { throw StoreError.sealedAgainstChanges }
            return try body()
        }
        try seal.verify(on: connection)
        let result = try body()
        try seal.renew(movingOn: movesOn, on: connection)
        return result
    }
}

// MARK: - Rows

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
        try readTables { try $0.tenants?.requireAllRows() }
        return try engine.retrying {
            try changeRows { connection in
                try watch.check(schema, on: connection)
                let count = try schema.rowSeals.reduce(0) { try $0 + $1.renewOutdated(on: connection) }
                try renewOutdatedSeal(on: connection)
                return count
            }
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
            try connection.tenants?.requireAllRows()
            let seals = try RowSeal.all(of: Metadata(reading: connection), connection.dialect)
            return Dictionary(try seals.map { ($0.name, try $0.keys(on: connection)) }) { first, _ in first }
        }
    }
}

extension StoreSchema {
    /// The tags of all entities whose rows can be checked.
    var rowSeals: [RowSeal] { entities.compactMap(\.rowSeal) }
}
