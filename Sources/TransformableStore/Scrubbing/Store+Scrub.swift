internal import Foundation

extension Store {
    /// Rewrites the file to remove the remains of changed and removed values, and searches it for values that must not
    /// be there.
    ///
    /// Free pages are dropped, the write-ahead log is emptied, and the files of replaced blobs are removed. SQLite first
    /// writes the rows, as they are in the file, to a temporary file without a name, which takes as much space. It is in
    /// the folder that the environment variable `SQLITE_TMPDIR` or `TMPDIR` names, or in `/var/tmp`. SQLite reads these
    /// variables when the process first uses it. Scrubbing does not affect blocks that the disk itself keeps after they
    /// are released, or copies that were made earlier.
    ///
    /// - Parameter canaries: Pieces of values that must no longer be in the file, as sampled by
    ///   `reencode(_:progress:)`.
    /// - Returns: The number of pieces that were still found, by file path, which should be empty. The search includes
    ///   the database, its log, its shared memory, external blobs, and this user's temporary files of SQLite. Pieces found
    ///   only in another form, for example in a `lowercase` projection, are counted by table and column, as in
    ///   `Patient.ssn_lower`. So are all unencrypted copies of values of confidential attributes: those in projections
    ///   that the model does not allow to be revealing, and those that an interrupted re-encoding has left behind.
    /// - Throws: `StoreError` with the code `busy` if another connection is still reading old content, `disk-full` if
    ///   there is no room for the temporary file or the rewritten one, or `unsupported` if the store is on a server,
    ///   whose disk, log, and backups a program can neither rewrite nor search.
    @discardableResult
    public func scrub(searchingFor canaries: Canaries = Canaries()) throws -> [String: Int] {
        try Nesting.check(self)
        try requireWritable()
        guard !engine.dialect.has(.server) else { throw StoreError.notScrubbed(engine.dialect) }
        guard let path = url?.standardizedFileURL.path else { return [:] }
        try engine.write { connection in
            try connection.embedded?.overwriteDeletedContent()
            try engine.rewriteFile()
            guard try connection.embedded?.emptyLog() != false else {
                throw StoreError(.busy, "another connection still reads old content; close it, and scrub again")
            }
        }
        let blobs = try blobFiles()
        let search = CanarySearch(canaries)
        let files = ["", "-wal", "-shm", "-journal"].map { path + $0 } + blobs + Self.temporaryFiles
        let found = try files.map { ($0, try search.places(in: $0)) }
        let known = found.reduce(into: Set<Int>()) { $0.formUnion($1.1) }
        let counts = found.filter { !$0.1.isEmpty }.map { ($0.0, $0.1.count) }
        return try Dictionary(counts + columnCounts(canaries, apartFrom: known)) { max($0, $1) }
    }

    /// Returns what is in columns and was not found in files.
    private func columnCounts(_ canaries: Canaries, apartFrom known: Set<Int>) throws -> [(String, Int)] {
        try engine.read { connection in
            let search = ColumnSearch(canaries, apartFrom: known)
            let found = try canaries.count > 0 ? search.counts(on: connection) : [:]
            return try found.map { ($0.key, $0.value) } + PlainShadows.counts(of: schema, on: connection)
        }
    }

    /// Returns the files of external blobs, after those that no object refers to are removed.
    private func blobFiles() throws -> [String] {
        guard let blobs = schema.blobs?.folder, FileSystem.exists(blobs.path) else { return [] }
        guard try sweep(.demand).isComplete else {
            throw StoreError(.busy, "replaced blobs are still being read; end these reads, and scrub again")
        }
        // Unfinished files are in a folder of their own.
        return [blobs.path, blobs.unfinished]
            .flatMap { folder in FileSystem.names(in: folder).map { "\(folder)/\($0)" } }
    }

    /// The paths of this user's temporary files of SQLite, wherever SQLite puts them, including those without a name.
    ///
    /// Anyone could put others there, of any length and of any kind.
    private static var temporaryFiles: [String] {
        let variables = ["SQLITE_TMPDIR", "TMPDIR"].compactMap { ProcessInfo.processInfo.environment[$0] }
        let named = (variables + ["/var/tmp", "/usr/tmp", "/tmp"])
            .flatMap { folder in
                let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
                return names.filter { $0.hasPrefix("etilqs_") }.map { "\(folder)/\($0)" }.filter(FileSystem.isOwnFile)
            }
        let open = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
        let nameless = open.map { "/proc/self/fd/\($0)" }
            .filter { path in
                let target = try? FileManager.default.destinationOfSymbolicLink(atPath: path)
                return target?.contains("etilqs_") == true
            }
        return named + nameless
    }
}

extension StoreError {
    fileprivate static func notScrubbed(_ dialect: Dialect) -> Self {
        let reason = "the server keeps them on its disk until VACUUM FULL, and in its log and backups"
        let remedy = "if they were sealed, retire their key and destroy all copies of it"
        return Self(.unsupported, "old values cannot be removed from \(dialect.name), because \(reason); \(remedy)")
    }
}

/// Searches the cells of every table for canaries, both in their own form and as text in another form.
///
/// A search of the files misses values that a projection such as `lowercase` has changed, and values that extend over
/// two pages. This search finds both, including in columns that no model contains.
private struct ColumnSearch {
    /// Larger cells are searched only in their own form.
    private static let largestFolded = 1 << 20

    private let exact: CanarySearch
    private let folded: CanarySearch
    /// The canary that each folded canary was made from.
    private let origins: [Int]
    /// The canaries that were found elsewhere and do not count.
    private let known: Set<Int>

    init(_ canaries: Canaries, apartFrom known: Set<Int>) {
        exact = CanarySearch(canaries)
        let forms = canaries.folded
        folded = CanarySearch(forms.canaries)
        origins = forms.origins
        self.known = known
    }

    /// Returns the number of canaries found, by table and column.
    func counts(on connection: any EngineConnection) throws -> [String: Int] {
        let tables = """
            SELECT "name" FROM "sqlite_master" WHERE "type" = 'table' AND "name" NOT GLOB 'sqlite_*' \
            AND "sql" NOT LIKE 'CREATE VIRTUAL%'
            """
        var counts: [String: Int] = [:]
        for table in try connection.rows(tables, count: 1).compactMap({ $0.text(0) }) {
            let columns = "SELECT \"name\" FROM pragma_table_info(?)"
            let names = try connection.rows(columns, [.text(table)], count: 1)
                .compactMap { $0.text(0) }
            for column in names {
                let count = try count(in: column, of: table, on: connection)
                if count > 0 { counts["\(table).\(column)"] = count }
            }
        }
        return counts
    }

    private func count(in column: String, of table: String, on connection: any EngineConnection) throws -> Int {
        let (name, source) = (SQL.quoted(column), SQL.quoted(table))
        let sql = "SELECT \(name) FROM \(source) WHERE typeof(\(name)) IN ('text', 'blob')"
        let statement = try connection.statement(sql, cached: false)
        defer { statement.reset() }
        var found: Set<Int> = []
        while try statement.step() {
            let cell = statement.packedRow(from: 0, count: 1).value(0)
            guard let bytes = cell.bytes else { continue }
            found.formUnion(exact.places(in: bytes))
            guard bytes.count <= Self.largestFolded, let text = Canaries.folded(bytes) else { continue }
            found.formUnion(folded.places(in: text).map { origins[$0] })
        }
        return found.subtracting(known).count
    }
}

extension ColumnValue {
    /// The bytes of text or a blob.
    fileprivate var bytes: Data? {
        switch self {
        case .blob(let bytes), .brokenText(let bytes): bytes
        case .text(let text): Data(text.utf8)
        case .null, .integer, .real: nil
        }
    }
}
