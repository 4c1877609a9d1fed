internal import GRDB

extension Store {
    /// Whether the store's model and tables were verified, accepted, or created when the store was opened.
    ///
    /// Verification requires a secret key in the registry. A store that was opened without one, and a store in memory,
    /// are not authenticated.
    public var isAuthenticated: Bool { isVerified && url != nil }

    /// Returns the identifier of the key that the store's model and tables are sealed with.
    ///
    /// - Returns: The identifier, or `nil` if there is no seal.
    /// - Throws: `StoreError` if the file cannot be read.
    public func sealKey() throws -> String? {
        try read { try StoreSeal.record(on: $0.database())?.key }
    }

    /// Runs a closure that changes what the seal covers, and renews the seal in the same transaction.
    ///
    /// The seal is verified first, so that it never covers changes made by someone else.
    ///
    /// - Throws: `StoreError` with the code `unauthenticated-model` if the seal does not match, and errors
    ///   thrown by the closure.
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
