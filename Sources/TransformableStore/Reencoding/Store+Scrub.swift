internal import Foundation
internal import GRDB

extension Store {
    /// Rewrites the file so that nothing is left in it of what was changed or removed, and looks for what must
    /// not be there.
    ///
    /// Free space is dropped, the log of writes emptied, and the files of blobs that were replaced are removed. What
    /// the disk itself keeps of blocks that were given back, and copies made earlier, are beyond it.
    ///
    /// - Parameter canaries: Pieces of values that must no longer be there, as `reencode(_:progress:)` samples them.
    /// - Returns: How many of them are still found, by the path of the file; empty is what one hopes for. The
    ///   database, its log, its shared memory, external blobs and SQLite's temporary files are searched. What is only
    ///   found in another form, as a projection such as `lowercase` has it, counts by table and column, as in
    ///   `Patient.ssn_lower`; and so do all values that stand in clear beside a confidential attribute: those of
    ///   projections that the model does not let reveal, and those that an interrupted re-encoding has left.
    /// - Throws: ``StoreError``: ``StoreError/Code/busy`` while somebody else reads what was before.
    @discardableResult
    public func scrub(searchingFor canaries: Canaries = Canaries()) throws -> [String: Int] {
        try Nesting.check(self)
        try requireWritable()
        guard let path = url?.standardizedFileURL.path else { return [:] }
        try Failure.translate {
            try database.writeWithoutTransaction { database in
                try SQLStatement.run("PRAGMA secure_delete = ON", on: database)
                try SQLStatement.run("VACUUM", on: database)
                let rows = try SQLStatement.rows("PRAGMA wal_checkpoint(TRUNCATE)", count: 1, on: database)
                guard rows.first?.integer(0) == 0 else {
                    throw StoreError(.busy, "another connection still reads what was before; scrub again without it")
                }
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

    /// What is in columns and was not found in files.
    private func columnCounts(_ canaries: Canaries, apartFrom known: Set<Int>) throws -> [(String, Int)] {
        try Failure.translate {
            try database.read { database in
                let search = ColumnSearch(canaries, apartFrom: known)
                let found = try canaries.count > 0 ? search.counts(on: database) : [:]
                return try found.map { ($0.key, $0.value) } + PlainShadows.counts(of: schema, on: database)
            }
        }
    }

    /// The files of external blobs, once those that no object names are removed.
    private func blobFiles() throws -> [String] {
        guard let blobs = schema.blobs, FileSystem.exists(blobs.path) else { return [] }
        guard try removeOrphanedBlobs() != nil else {
            throw StoreError(.busy, "somebody still reads blobs that were replaced; scrub again without them")
        }
        // What is being written lies in a folder of its own.
        return [blobs.path, blobs.unfinished]
            .flatMap { folder in FileSystem.names(in: folder).map { "\(folder)/\($0)" } }
    }

    /// What SQLite calls its temporary files, wherever it puts them; those that have no name any more too.
    private static var temporaryFiles: [String] {
        let variables = ["SQLITE_TMPDIR", "TMPDIR"].compactMap { ProcessInfo.processInfo.environment[$0] }
        let named = (variables + ["/var/tmp", "/usr/tmp", "/tmp"])
            .flatMap { folder in
                let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
                return names.filter { $0.hasPrefix("etilqs_") }.map { "\(folder)/\($0)" }
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
