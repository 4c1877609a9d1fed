/// How a transaction begins and ends.
package enum EngineTransaction {
    package enum Kind {
        /// The lock is taken by the first statement that writes.
        case deferred
        /// The lock is taken at once.
        case immediate
    }

    package enum Completion {
        case commit
        case rollback
    }
}

/// An object that acts at the end of a transaction.
package protocol TransactionEndObserver: AnyObject, Sendable {
    func willCommit() throws
    func didCommit(on connection: any EngineConnection)
    func didRollBack()
}
