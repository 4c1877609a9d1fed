package import Foundation

/// The functions with which an engine's connections compute and check the tags of rows.
///
/// ``RowSeal/Function`` has their names.
package protocol RowTagFunctions: AnyObject, Sendable {
    /// Sets the entities of the database, on whose numbers and columns the tags depend.
    ///
    /// - Parameters:
    ///   - seals: The tags of all entities that authenticate their rows.
    ///   - store: The store's UUID.
    ///   - connection: A connection to the database.
    /// - Throws: `StoreError` with the code `limit-exceeded` if an entity has too many columns.
    func take(_ seals: [RowSeal], of store: UUID, on connection: any EngineConnection) throws
}
