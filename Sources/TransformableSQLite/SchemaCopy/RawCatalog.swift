internal import GRDB
package import TransformableStore

/// The catalog of a store's tables in a database in memory, without rows.
///
/// An engine other than SQLite finds out here what a statement of the store means, and what a file would record of it.
package final class RawCatalog {
    private let engine: any Engine
    // The metadata that was read last.
    private var metadata: Metadata?

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

    /// Returns the definitions of some tables, or of all.
    package func definitions(of tables: [String]? = nil) throws -> [RawDefinition] {
        try engine.read { try RawReader.definitions(of: tables, on: $0) }
    }

    /// Returns tables as the store's metadata describes them.
    ///
    /// - Parameters:
    ///   - names: The names of the tables.
    ///   - described: A connection to the metadata.
    /// - Returns: The tables, except for those that are not a store's.
    /// - Throws: `StoreError` if the metadata is damaged.
    package func tables(
        _ names: [String],
        describedBy described: any EngineConnection
    ) throws -> [TableDescription] {
        try engine.read { connection in
            let reader = try CatalogReader(connection, describedBy: described, knowing: metadata)
            metadata = reader.metadata
            return try names.compactMap { try reader.table($0) }
        }
    }
}

@available(*, unavailable)
extension RawCatalog: Sendable {}
