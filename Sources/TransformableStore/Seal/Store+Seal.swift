internal import GRDB

extension Store {
    /// Whether the store's model and tables were found to be genuine when it was opened, or were accepted or made then.
    ///
    /// That takes a secret key in the registry. A store without one, and a store in memory, are not authenticated.
    public var isAuthenticated: Bool { isVerified && url != nil }

    /// Returns the identifier of the key that the store's model and tables are sealed under.
    ///
    /// - Returns: The identifier; `nil` without a seal.
    /// - Throws: ``StoreError``.
    public func sealKey() throws -> String? {
        try read { try StoreSeal.record(on: $0.database())?.key }
    }

    /// Runs a body that changes what the seal covers, and renews the seal in the same transaction.
    ///
    /// The seal is checked first, so that it does not come to cover what somebody else has changed.
    ///
    /// - Throws: ``StoreError`` with ``StoreError/Code/unauthenticatedModel``, and what the body throws.
    func resealing<Result>(on database: Database, _ body: () throws -> Result) throws -> Result {
        guard let seal else {
            guard try StoreSeal.record(on: database) == nil else { throw StoreError.sealedAgainstChanges }
            return try body()
        }
        try seal.verify(on: database)
        let result = try body()
        try seal.renew(on: database)
        return result
    }
}
