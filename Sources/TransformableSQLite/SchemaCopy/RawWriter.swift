package import Foundation
internal import Glibc
package import Transformable
package import TransformableModel
package import TransformableStore

/// Builds the file of a store from tables that were read elsewhere.
///
/// The file is built in a folder of its own, so that it appears as a whole or not at all. Only its owner can read it.
/// Nothing that comes from elsewhere is trusted: a definition must be that of a plain table, an index, or a trigger,
/// and the file must be a store when it is complete.
package final class RawWriter {
    private let path: String
    private let working: WorkingFolder
    private let engine: any Engine
    private let blobs: BlobFolder

    /// Creates the folder and an empty file in it.
    ///
    /// - Parameters:
    ///   - url: The store's file, which must not exist, and neither must a folder of blobs or a log next to it.
    ///   - watch: Removes what is unfinished when the process is interrupted.
    /// - Throws: `StoreError` with the code `file-exists`, `cannot-create`, or `disk-full`.
    package init(at url: URL, watch: (any WorkingFolderWatch)?) throws {
        path = url.standardizedFileURL.path
        working = try NewFile.folder(for: NewFile.storeFiles(path), watch: watch)
        let file = working.result
        _ = try FileSystem.create(file)
        blobs = BlobFolder(of: file, mode: 0o600)
        engine = try StoreFile.unfinishedEngine(file)
    }

    /// Fills the file in one transaction.
    ///
    /// - Parameter body: A closure that receives the content.
    /// - Returns: The result of the closure.
    /// - Throws: `StoreError` if the file cannot be written or is not a store, and errors thrown by the closure.
    package func fill<Result>(_ body: (RawContent) throws -> Result) throws -> Result {
        try NewFile.build(path, in: working) {
            try engine.write { connection in
                let result = try connection.committing(.immediate) {
                    try body(RawContent(connection, blobs: blobs))
                }
                _ = try Metadata.kind(of: connection)
                _ = try Metadata(reading: connection)
                return result
            }
        }
    }

    /// Opens the file that was filled for reading, passes it to a closure, and closes it.
    ///
    /// - Parameters:
    ///   - registry: The transformers. Attributes that need others keep their bytes.
    ///   - body: A closure that reads the store.
    /// - Returns: The result of the closure.
    /// - Throws: `StoreError` if the file cannot be opened, and errors thrown by the closure.
    package func review<Result>(_ registry: TransformerRegistry, _ body: (Store) throws -> Result) throws -> Result {
        try engine.close()
        let options = Store.Options(opening: .readOnly, unresolved: .keepBytes, quarantine: .report)
        return try NewFile.build(path, in: working) {
            let store = try Store(at: URL(filePath: working.result), transformers: registry, options: options)
            let result = Swift.Result { try body(store) }
            try store.close()
            return try result.get()
        }
    }

    /// Moves the file and its blobs to their place.
    ///
    /// - Throws: `StoreError` with the code `file-exists` if something else has appeared there, or `input-output`.
    package func publish() throws {
        try? engine.close()
        try NewFile.build(path, in: working) {
            let file = working.result
            guard let descriptor = try FileSystem.openToRead(file), fsync(descriptor.number) == 0 else {
                throw FileSystem.failure("written", file)
            }
            if FileSystem.exists(blobs.path) { try FileSystem.synchronize(folder: blobs.path) }
            try NewFile.publish(working, as: path, suffixes: [BlobFolder.path(of: "")])
        }
    }
}

@available(*, unavailable)
extension RawWriter: Sendable {}

/// The content of a store's file that is being built.
///
/// It is valid only inside the closure that it was passed to.
package final class RawContent {
    private let connection: any EngineConnection
    private let blobs: BlobFolder

    fileprivate init(_ connection: any EngineConnection, blobs: BlobFolder) {
        self.connection = connection
        self.blobs = blobs
    }

    /// Creates the tables.
    ///
    /// - Parameter definitions: All definitions. Those of indexes and triggers are left for ``finish(_:_:)``.
    /// - Throws: `StoreError` with the code `corrupt-file` if a definition is of another kind.
    package func create(_ definitions: [RawDefinition]) throws {
        for definition in definitions { try definition.check() }
        for definition in definitions where definition.type == "table" { try run(definition) }
    }

    /// Prepares to insert the rows of a table.
    ///
    /// - Parameter table: A table that has been created.
    /// - Returns: What inserts a row.
    /// - Throws: `StoreError` if the file has no such table.
    package func rows(of table: TableDescription) throws -> RawInsertion {
        let columns = table.columns.map { SQL.quoted($0.name) }.joined(separator: ", ")
        let marks = table.columns.map { _ in "?" }.joined(separator: ", ")
        let sql = "INSERT INTO \(SQL.main(TableName(table.name))) (\(columns)) VALUES (\(marks))"
        return try RawInsertion(connection.statement(sql, cached: false))
    }

    /// Returns the tables of metadata that have been created.
    package func metadataTables() throws -> [TableDescription] { try CatalogReader.metadata(on: connection) }

    /// Returns all tables that have been created, as the metadata that has been inserted describes them.
    package func tables() throws -> [TableDescription] { try CatalogReader(connection).all().own }

    /// Creates the file of a blob.
    ///
    /// - Parameter uuid: The blob's UUID.
    /// - Returns: What writes its bytes.
    /// - Throws: `StoreError` if the file cannot be created.
    package func blob(_ uuid: UUID) throws -> RawBlobWriter {
        try RawBlobWriter(PendingBlob(in: blobs), uuid, blobs)
    }

    /// Creates indexes and triggers, and records the highest numbers of tables.
    ///
    /// - Parameters:
    ///   - definitions: All definitions.
    ///   - sequences: The highest numbers that tables have ever had.
    /// - Throws: `StoreError` with the code `corrupt-file` if SQLite reads a definition differently, or if the rows do
    ///   not satisfy it.
    package func finish(_ definitions: [RawDefinition], _ sequences: [RawSequence]) throws {
        for type in ["index", "trigger"] {
            for definition in definitions where definition.type == type { try run(definition) }
        }
        guard try Set(RawReader.definitions(on: connection)) == Set(definitions) else {
            throw StoreError.invalidDefinition("the definitions of its tables")
        }
        try connection.run("DELETE FROM \"sqlite_sequence\"")
        for sequence in sequences {
            try connection.run(
                "INSERT INTO \"sqlite_sequence\" (\"name\", \"seq\") VALUES (?, ?)",
                [.text(sequence.table), .integer(sequence.number)]
            )
        }
        try connection.run("PRAGMA user_version = \(Metadata.format)")
        try connection.run("PRAGMA application_id = \(Metadata.applicationID)")
    }

    private func run(_ definition: RawDefinition) throws {
        do {
            try connection.run(definition.sql)
        } catch let error as StoreError where error.code == .statementFailed || error.code == .notUnique {
            throw StoreError.invalidDefinition("the definition of “\(definition.name)”", because: error)
        }
    }
}

@available(*, unavailable)
extension RawContent: Sendable {}

/// Inserts the rows of a table.
package final class RawInsertion {
    private let statement: any EngineStatement

    fileprivate init(_ statement: any EngineStatement) {
        self.statement = statement
    }

    /// Inserts a row.
    ///
    /// - Parameter cells: The cells of the table's columns.
    /// - Throws: `StoreError` if SQLite refuses the row.
    package func insert(_ cells: [ColumnValue]) throws {
        try statement.bind(cells)
        try statement.run()
    }
}

@available(*, unavailable)
extension RawInsertion: Sendable {}

/// Writes the bytes of a blob.
package final class RawBlobWriter {
    private let blob: PendingBlob
    private let folder: BlobFolder
    /// The blob's UUID.
    package let uuid: UUID

    fileprivate init(_ blob: PendingBlob, _ uuid: UUID, _ folder: BlobFolder) {
        self.blob = blob
        self.uuid = uuid
        self.folder = folder
    }

    /// Appends bytes.
    package func write(_ bytes: Data) throws { try blob.write(bytes) }

    /// Gives the file its name.
    ///
    /// Without this, the file is removed.
    package func finish() throws { _ = try blob.place(as: uuid, in: folder) }
}

@available(*, unavailable)
extension RawBlobWriter: Sendable {}
