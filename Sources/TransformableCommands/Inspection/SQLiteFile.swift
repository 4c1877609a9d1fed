internal import Foundation
internal import Transformable
internal import TransformableStore

/// Describes SQLite files: a store by its model, one of Core Data by its entities, any other database by its header.
enum SQLiteFile {
    private static let headerSize = 100

    /// Describes a file without reading all of it.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - registry: The transformers; none needs a key for this.
    /// - Returns: A description; nil if the file is no SQLite database.
    /// - Throws: ``CommandError``, or `StoreError` if a store is damaged or newer.
    static func inspect(_ path: String, _ registry: TransformerRegistry) throws -> InspectionReport? {
        var status = stat()
        // A pipe can be opened once, and is for whoever reads all of it.
        guard stat(path, &status) == 0, status.st_mode.isRegularFile else { return nil }
        guard let file = SystemFile(path, O_RDONLY) else { return nil }
        let size = Int(status.st_size)
        let header = try readStart(file.descriptor, name: "“\(path)”", count: headerSize)
        guard header.count == headerSize, header.starts(with: Data("SQLite format 3\0".utf8)) else { return nil }
        do {
            let store = try Store.openedToRead(path, registry, .current)
            defer { try? store.close() }
            return try InspectionReport(StoreSummary(of: store), count: size)
        } catch let error as StoreError where error.code == .notAStore {
            if let summary = CoreDataSummary(path: path) { return InspectionReport(summary, count: size) }
            return InspectionReport(inspection(of: header), count: size)
        }
    }

    /// The header of a database file (sqlite.org/fileformat2.html, section 1.3): big-endian numbers.
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
    /// Opens a store for showing it, with whatever of it can be read here.
    ///
    /// Nothing is written: the file, its log, and the log's index keep their bytes.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - registry: The transformers.
    ///   - session: The run.
    ///   - trust: What is believed of the file.
    /// - Returns: The store.
    /// - Throws: `StoreError`, or ``CommandError/Code/noInput``.
    static func openedToRead(
        _ path: String,
        _ registry: TransformerRegistry,
        _ session: Session,
        believing trust: TrustOptions? = nil
    ) throws -> Store {
        guard access(path, R_OK) == 0 else { throw CommandError.cannotRead(path, errno) }
        try session.requireOutput(apartFrom: StorePath.files(of: path))
        var options = Store.Options(opening: .readOnly, unresolved: .keepBytes, quarantine: .report)
        options.isBrief = true
        let url = URL(filePath: path)
        return try trust?.open(url, registry, options, session)
            ?? Store(at: url, transformers: registry, options: options)
    }
}

extension Session {
    /// Opens stores for showing what they hold without any key, and closes them.
    ///
    /// - Parameters:
    ///   - paths: The files.
    ///   - body: What to do with the stores.
    /// - Returns: What the body returns.
    /// - Throws: `StoreError`, ``CommandError/Code/noInput``, or what the body throws.
    func withStores<Result>(_ paths: [String], _ body: ([Store]) throws -> Result) throws -> Result {
        let stores = try paths.map { try Store.openedToRead($0, keylessRegistry, self) }
        defer { for store in stores { try? store.close() } }
        return try body(stores)
    }
}
