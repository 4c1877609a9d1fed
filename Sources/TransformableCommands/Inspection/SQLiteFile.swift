internal import Foundation
package import Transformable
internal import TransformableSQLite
internal import TransformableStore

/// Describes SQLite files: a store by its model, a Core Data store by its entities, and any other database by its
/// header.
enum SQLiteFile {
    private static let headerSize = 100

    /// Describes a file without reading all of it.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - registry: The transformers. None needs a key.
    /// - Returns: A description, or nil if the file is not an SQLite database.
    /// - Throws: ``CommandError`` if the file cannot be read, or `StoreError` if a store is damaged or too new.
    static func inspect(_ path: String, _ registry: TransformerRegistry) throws -> InspectionReport? {
        var status = stat()
        // A pipe can be read only once, by the code that reads all of it.
        guard stat(path, &status) == 0, status.st_mode.isRegularFile else { return nil }
        guard let file = SystemFile(path, O_RDONLY) else { return nil }
        let size = Int(status.st_size)
        let header = try readStart(file.descriptor, name: "“\(path)”", count: headerSize)
        guard header.count == headerSize, header.starts(with: Data("SQLite format 3\0".utf8)) else { return nil }
        try Session.current.requireOutput(apartFrom: StoreAddress.file(path).files)
        // A Core Data store has no application id. It is read first, because opening it as a store of ours would create
        // the index of its log next to it.
        if number(header, 68, count: 4) == 0, let summary = CoreDataSummary(path: path) {
            if let note = summary.logNote { Session.current.tell("note: \(note)") }
            return InspectionReport(summary, count: size)
        }
        do {
            let store = try Store.openedToRead(.file(path), registry, .current)
            defer { try? store.close() }
            Session.current.noteUncheckedSeal(of: store, path)
            return try InspectionReport(StoreSummary(of: store), count: size)
        } catch let error as StoreError where error.code == .notAStore {
            return InspectionReport(inspection(of: header), count: size)
        }
    }

    /// Describes the header of a database file (sqlite.org/fileformat2.html, section 1.3), whose numbers are
    /// big-endian.
    private static func inspection(of header: Data) -> Inspection {
        let pageSize = number(header, 16, count: 2)
        let encodings = [1: "UTF-8", 2: "UTF-16, little-endian", 3: "UTF-16, big-endian"]
        return Inspection(
            "SQLite database",
            facts: [
                Inspection.Fact("page size", "\(pageSize == 1 ? 65_536 : pageSize)"),
                Inspection.Fact("pages", "\(number(header, 28, count: 4))"),
                Inspection.Fact("text", encodings[number(header, 56, count: 4)] ?? "unknown"),
                Inspection.Fact("application id", "\(number(header, 68, count: 4))"),
                Inspection.Fact("user version", "\(number(header, 60, count: 4))"),
            ]
        )
    }

    private static func number(_ bytes: Data, _ offset: Int, count: Int) -> Int {
        bytes.dropFirst(offset).prefix(count).reduce(0) { $0 << 8 | Int($1) }
    }
}

extension Store {
    /// Opens a store for display, even if not all of it can be read.
    ///
    /// A file, its write-ahead log, and the log's index are not changed.
    ///
    /// - Parameters:
    ///   - address: Where the store is.
    ///   - registry: The transformers.
    ///   - session: The session.
    ///   - trust: Whether the model in the store's file is trusted.
    /// - Returns: The store.
    /// - Throws: `StoreError` if the store cannot be opened, or ``CommandError`` with the code
    ///   ``CommandError/Code/noInput`` if the file cannot be read.
    static func openedToRead(
        _ address: StoreAddress,
        _ registry: TransformerRegistry,
        _ session: Session,
        believing trust: ModelTrust? = nil
    ) throws -> Store {
        try address.requireReadable()
        try session.requireOutput(apartFrom: address.files)
        var options = Store.Options(opening: .readOnly, unresolved: .keepBytes, quarantine: .report)
        options.isBrief = true
        return try trust?.open(address, registry, options, session) ?? address.open(registry, options)
    }
}

extension Session {
    /// Opens stores without any key, passes them to a closure, and closes them.
    ///
    /// - Parameters:
    ///   - addresses: Where the stores are.
    ///   - body: A closure that uses the stores.
    /// - Returns: The result of `body`.
    /// - Throws: `StoreError` if a store cannot be opened, ``CommandError`` with the code ``CommandError/Code/noInput``
    ///   if a file cannot be read, and any error thrown by `body`.
    package func withStores<Result>(
        _ addresses: [StoreAddress],
        _ body: ([any StoredValueSource]) throws -> Result
    ) throws -> Result {
        let stores = try addresses.map { try Store.openedToRead($0, keylessRegistry, self) }
        defer { for store in stores { try? store.close() } }
        return try body(stores)
    }
}
