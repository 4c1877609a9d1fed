internal import GRDB
package import TransformableStore

/// The catalog of a store's tables in a database in memory, without rows.
///
/// An engine other than SQLite finds out here what a statement of the store means, and what a file would record of it.
package final class RawCatalog {
    private let engine: any Engine

    /// Creates a catalog.
    ///
    /// - Parameter definitions: The definitions of a store's tables, indexes, and triggers.
    /// - Throws: `StoreError` with the code `corrupt-file` if one of them is of another kind.
    package init(_ definitions: [RawDefinition]) throws {
        var configuration = Configuration()
        configuration.label = "RawCatalog"
        configuration.foreignKeysEnabled = false
        configuration.prepareDatabase { database in
            for pragma in ["trusted_schema = OFF", "legacy_alter_table = ON"] {
                try SQLiteConnection(database).run("PRAGMA \(pragma)")
            }
        }
        engine = try Failure.translate { SQLiteEngine(try DatabaseQueue(configuration: configuration)) }
        for definition in definitions { try definition.check() }
        try engine.transact { connection in
            for type in ["table", "index", "trigger"] {
                for definition in definitions where definition.type == type { try connection.run(definition.sql) }
            }
        }
    }

    /// Runs a statement that creates, changes, or drops a table, an index, or a trigger.
    package func run(_ statement: String) throws {
        try engine.write { try $0.run(statement) }
    }

    /// Returns the definitions.
    package func definitions() throws -> [RawDefinition] {
        try engine.read { try RawReader.definitions(on: $0) }
    }

    /// Returns a table as the store's metadata describes it.
    ///
    /// - Parameters:
    ///   - name: The table's name.
    ///   - metadata: A connection to the metadata.
    /// - Returns: The table, or `nil` if it is not one of a store.
    /// - Throws: `StoreError` if the metadata is damaged.
    package func table(_ name: String, describedBy metadata: any EngineConnection) throws -> TableDescription? {
        try engine.read { try CatalogReader($0, describedBy: metadata).table(name) }
    }
}

@available(*, unavailable)
extension RawCatalog: Sendable {}
