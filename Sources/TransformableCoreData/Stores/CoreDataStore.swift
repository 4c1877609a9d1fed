public import Foundation
internal import TransformableSQLite

/// A Core Data or SwiftData store, open for reading.
///
/// ```swift
/// let store = try CoreDataStore(at: URL(filePath: "Journal.sqlite"))
/// try store.forEachRow(of: "JournalEntry") { row in
///     guard case .string(let location)? = try row.value("location") else { return }
///     print(row.id, location)
/// }
/// ```
///
/// The file is never changed, and no file is created next to it. Changes that are only in its write-ahead log are
/// read, too. If an app is detected to be writing to the store, the store is refused: read a copy of its files.
///
/// Most stores contain their model. For older ones, pass the model. In either case, the store's tables must be exactly
/// the ones that follow from the model, as ``CoreDataLayout`` describes. A model that you pass must not contradict the
/// one in the store, or its version hashes, about the values in these tables.
public final class CoreDataStore: Sendable {
    /// Options for opening a store.
    public struct Options: Sendable {
        /// Whether to open a store whose tables, types, or version hashes do not match.
        ///
        /// Tables and columns that the model lacks are not read. Attributes that the store lacks have no value. A row
        /// belongs to the entity whose number the store states, even if the model implies other numbers.
        /// ``CoreDataStore/notes`` lists all of it.
        public var acceptsDifferences: Bool

        /// Creates options.
        ///
        /// - Parameter acceptsDifferences: Whether to open a store whose tables, types, or version hashes do not match.
        public init(acceptsDifferences: Bool = false) {
            self.acceptsDifferences = acceptsDifferences
        }
    }

    /// The store's file.
    public let url: URL
    /// The store's metadata.
    public let metadata: CoreDataStoreMetadata
    /// The model of the store.
    ///
    /// If the store contains only the entities of a configuration, so does the model.
    public let model: CoreDataModel
    /// The store's tables.
    public let layout: CoreDataLayout
    /// Differences that were accepted, entities of the model that the store does not have, and a write-ahead log that is
    /// missing or damaged.
    public let notes: [CoreDataNote]
    let file: ForeignFile
    /// The columns of each table.
    let tables: [String: Set<String>]
    private let lastNumbers: [String: Int64]

    /// Opens a store.
    ///
    /// - Parameters:
    ///   - url: The store's file. Its write-ahead log must be next to it.
    ///   - model: The model, or `nil` to use the one in the store.
    ///   - options: Whether differences are accepted.
    /// - Throws: `CoreDataError` with the code `no-such-file`, `cannot-open`,
    ///   `not-a-store`, `busy`, or `damaged-store` if the
    ///   file cannot be read; with `missing-model` if no model is given and the store has none; or
    ///   with `model-mismatch` if the tables are not those of the model.
    public init(at url: URL, model: CoreDataModel? = nil, options: Options = Options()) throws {
        self.url = url
        let path = url.standardizedFileURL.resolvingSymlinksInPath().path
        (file, metadata, self.model, layout, tables, lastNumbers, notes) = try CoreDataError.translating(
            url.relativePath,
            at: path
        ) {
            let file = try ForeignFile(path: path)
            do {
                let found = try file.read { reader in
                    var opening = try CoreDataStoreOpening(reader)
                    try opening.check(model, options)
                    return opening
                }
                // Looking for an object by a number that is no key would read the whole table each time.
                let usable = found.tables.filter { _, columns in columns.allSatisfy { $0.name != "Z_PK" || $0.isKey } }
                let tables = usable.mapValues { Set($0.map(\.name)) }
                let notes = try Self.logNotes(file) + found.notes
                return (file, found.metadata, found.model, found.layout, tables, found.lastNumbers, notes)
            } catch {
                file.close()
                throw error
            }
        }
    }

    /// Notes that the write-ahead log is missing or damaged, as SQLite reads the rest without an error.
    private static func logNotes(_ file: ForeignFile) throws -> [CoreDataNote] {
        try file.logNote().map { [CoreDataNote($0)] } ?? []
    }

    deinit {
        file.close()
    }

    /// Returns the highest number that an object of an entity's family has had, or 0.
    ///
    /// - Parameter entity: The entity's name.
    /// - Returns: The number, according to Core Data's own record.
    public func lastNumber(of entity: String) -> Int64 {
        model.lineage(of: entity).first.flatMap { lastNumbers[$0.name] } ?? 0
    }

    /// The names of the tables of root entities, sorted.
    var entityTables: [String] { Set(layout.places.values.map(\.table)).sorted() }

    /// Reads from the file, and ensures that nobody has changed it in the meantime.
    func read<Result>(_ body: (ForeignReader) throws -> Result) throws -> Result {
        try CoreDataError.translating(url.relativePath, at: file.path) {
            let result = try file.read(body)
            try file.requireUnchanged()
            return result
        }
    }
}
