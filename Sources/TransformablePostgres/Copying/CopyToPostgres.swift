internal import Foundation
internal import TransformableModel
internal import TransformableSQLite
internal import TransformableStore

/// Copies the tables of a store's file to a schema of a PostgreSQL database.
///
/// Rows go over in batches, each in a transaction with its entry in the journal. If the caller has begun a transaction,
/// everything happens in that one.
final class CopyToPostgres {
    /// The number of rows, and of bytes, after which a batch ends.
    private static let batch = (rows: 20_000, bytes: 16 << 20)

    private let reader: RawReader
    private let connection: PostgresConnection
    private let layout: PostgresLayout
    private let journal: CopyJournal
    private let record: FileRecord
    private let distribution: PostgresDistribution
    private let owners: ExternalValueOwners
    private let progress: (Int) -> Void
    private var report = PostgresCopyReport()
    /// The number of rows that have been copied, including those of earlier parts.
    private var rowCount: Int64 = 0

    init(
        _ reader: RawReader,
        to schema: String,
        _ connection: PostgresConnection,
        distribution: PostgresDistribution = .none,
        _ progress: @escaping (Int) -> Void
    ) throws {
        self.reader = reader
        self.distribution = distribution
        self.connection = connection
        self.progress = progress
        layout = PostgresLayout(reader.tables, in: schema, distribution)
        journal = CopyJournal(layout, connection)
        record = try FileRecord(reader)
        owners = ExternalValueOwners(reader, layout)
    }

    /// Copies everything that has not been copied yet, and compares both sides.
    func run() throws -> PostgresCopyReport {
        let state = try inTransaction(.snapshot) { try SchemaState(of: layout.name, connection) }
        switch state {
        case .missing, .empty:
            try inTransaction {
                // The server would end a connection that is idle for too long outside of a transaction.
                try check()
                try begin(state)
            }
        case .unfinishedCopy:
            report.isContinuation = true
            try inTransaction(.snapshot) { try requireSameStore() }
        case .store: throw StoreError.schemaExists(layout.name, "already contains a store")
        case .other: throw StoreError.schemaExists(layout.name, "contains tables that belong to another program")
        }
        let entries = try journal.entries()
        for table in layout.tables { try carry(table, from: entries[table.raw.name]) }
        try carryBlobs(from: entries[PostgresLayout.chunkTable])
        try complete(entries[CopyJournal.whole])
        try inTransaction(.snapshot) { try compare() }
        try journal.end()
        return report
    }

    /// Runs a closure in a transaction of its own, unless the caller has begun one.
    private func inTransaction<Result>(
        _ isolation: PostgresIsolation = .readCommitted,
        _ body: () throws -> Result
    ) throws -> Result {
        guard !connection.isInTransaction else { return try body() }
        return try connection.transaction(isolation) {
            try connection.liftTimeLimits()
            return try body()
        }
    }

    // MARK: - Before the first row

    /// Checks that PostgreSQL can hold everything, before anything is created.
    private func check() throws {
        try reader.requireReferences()
        var fields = RowFields()
        for table in layout.tables where table.raw.name != PostgresLayout.garbageTable {
            let codec = RowCodec(table)
            let rows = try reader.rows(of: table.raw)
            while let row = try rows.next() {
                try codec.encode(row, into: &fields)
                if table.hasPieces { _ = try owners.tenant(of: BlobRow(row, of: table)) }
            }
        }
    }

    /// Creates the tables, and the journal with an entry for each of them.
    private func begin(_ state: SchemaState) throws {
        try state.keep(in: layout.name, connection)
        let schema = state == .missing ? ["CREATE SCHEMA \(layout.schema)"] : []
        let parts = distribution == .byTenant ? layout.distribution : []
        try connection.run(script: (schema + layout.creation + parts).joined(separator: ";\n"))
        try record.write(layout, connection)
        // Files that are about to be removed are not copied.
        let names = layout.tables.map(\.raw.name) + [PostgresLayout.chunkTable]
        try journal.begin(names, done: [PostgresLayout.garbageTable])
    }

    /// Throws an error unless the copy that was begun is one of this store, whose tables have not changed.
    private func requireSameStore() throws {
        guard let table = layout.table("_transformable_store") else { return }
        let uuids = try connection.rows(PostgresStatement("SELECT \"uuid\" FROM \(table.name)")) {
            try $0.value(0, as: UUID.self).uuidString
        }
        let own = try reader.rows(of: table.raw).next()
            .flatMap { row in
                table.raw.columns.firstIndex { $0.name == "uuid" }.flatMap(row.text)
            }
        guard uuids.allSatisfy({ $0 == own }) else {
            throw StoreError.schemaExists(layout.name, "contains an unfinished copy of another store")
        }
        guard try Set(FileRecord(layout, connection).definitions) == Set(record.definitions) else {
            throw StoreError.changedMeanwhile(layout.name, "its tables are different")
        }
    }

    // MARK: - Rows

    private func carry(_ table: PostgresTable, from entry: CopyJournal.Entry?) throws {
        guard var entry else { return }
        defer { rowCount += entry.rows }
        guard !entry.isDone else { return }
        let codec = RowCodec(table)
        let rows = try reader.rows(of: table.raw, after: entry.key(of: table.raw))
        var fields = RowFields()
        while !entry.isDone {
            entry = try batch(of: table.raw.name, from: entry, table.target) { next, writer in
                var size = 0
                while size < Self.batch.bytes, next.rows - entry.rows < Self.batch.rows {
                    guard let row = try rows.next() else {
                        next.isDone = true
                        break
                    }
                    try codec.encode(row, into: &fields)
                    if table.hasPieces { fields.append(fieldIfPresent: try owners.tenant(of: BlobRow(row, of: table))) }
                    try fields.write(to: &writer)
                    size += fields.bytes.count
                    next.rows += 1
                    next.after = CopyJournal.Entry.text(codec.key(of: row))
                }
            }
            progress(Int(rowCount + entry.rows))
        }
    }

    /// Copies a batch in a transaction with its entry, and returns the entry.
    private func batch(
        of name: String,
        from entry: CopyJournal.Entry,
        _ target: String,
        _ body: (inout CopyJournal.Entry, inout PostgresCopyWriter) throws -> Void
    ) throws -> CopyJournal.Entry {
        try inTransaction {
            try journal.lock(name, entry)
            var next = entry
            do {
                let sql = "COPY \(target) FROM STDIN (FORMAT binary)"
                try connection.copyIn(sql) { writer in try body(&next, &writer) }
            } catch var error as StoreError where error.concernsSize {
                // The server does not say which table has such a row.
                error.entity = error.entity ?? name
                throw error
            }
            try journal.advance(name, to: next)
            return next
        }
    }

    // MARK: - Blobs

    private func carryBlobs(from entry: CopyJournal.Entry?) throws {
        guard var entry, !entry.isDone, let table = layout.table(PostgresLayout.blobTable),
            let chunks = layout.table(PostgresLayout.chunkTable)
        else { return }
        let rows = try reader.rows(of: table.raw, after: entry.key(of: table.raw))
        while !entry.isDone {
            entry = try batch(of: PostgresLayout.chunkTable, from: entry, chunks.target) { next, writer in
                var size = 0
                while size < Self.batch.bytes {
                    guard let row = try rows.next() else {
                        next.isDone = true
                        break
                    }
                    let blob = try BlobRow(row, of: table)
                    size += try carry(blob, to: &writer)
                    next.rows += 1
                    next.after = blob.uuid.uuidString
                }
            }
        }
    }

    /// Copies the file of a blob in pieces, and returns its length.
    ///
    /// A missing file has no pieces. The comparison reports it.
    private func carry(_ blob: BlobRow, to writer: inout PostgresCopyWriter) throws -> Int {
        guard var file = try reader.blob(blob.uuid) else { return 0 }
        let tenant = try owners.tenant(of: blob)
        var size = 0
        var index: Int64 = 0
        while case let piece = try file.read(upTo: PostgresLayout.chunkSize), !piece.isEmpty {
            try writer.beginRow()
            try writer.write(blob.uuid)
            try writer.write(index)
            try writer.write(piece)
            if layout.hasTenants { try writer.write(tenant) }
            index += 1
            size += piece.count
        }
        return size
    }

    // MARK: - At the end

    /// Adds indexes and references, and makes the sequences continue where the file's numbers end.
    private func complete(_ entry: CopyJournal.Entry?) throws {
        guard var entry, !entry.isDone else { return }
        try inTransaction {
            try journal.lock(CopyJournal.whole, entry)
            // Before anything is read, because Citus refuses the references after it has read several shards at a time.
            if distribution == .byTenant { try connection.run(script: PostgresLayout.sequentialMode) }
            let numbers = try layout.tables.compactMap(numbering)
            for table in layout.tables { try addIndexes(of: table) }
            try run(layout.references + numbers + layout.protection)
            entry.isDone = true
            try journal.advance(CopyJournal.whole, to: entry)
        }
    }

    /// Runs statements in one round trip.
    ///
    /// Citus passes what it receives on to the workers, which take one statement at a time.
    private func run(_ statements: [String]) throws {
        let scripts = distribution == .byTenant ? statements : [statements.joined(separator: ";\n")]
        for script in scripts { try connection.run(script: script) }
    }

    /// Returns the statement that makes a table's sequence continue, or `nil` if its rows are not numbered.
    ///
    /// The file's record of the highest number may be missing or too low, so the numbers of the rows count as well.
    private func numbering(of table: PostgresTable) throws -> String? {
        guard let column = table.numberColumn else { return nil }
        let sql = "SELECT coalesce(max(\(PostgresName.quoted(column))), 0)::int8 FROM \(table.name)"
        let present = try connection.rows(PostgresStatement(sql)) { try $0.value(0, as: Int64.self) }
        let recorded = record.sequences.filter { $0.table == table.raw.name }.map(\.number)
        let last = (present + recorded).max() ?? 0
        let next = min(max(last, 0), .max - 1) + 1
        return "SELECT setval(pg_get_serial_sequence(\(table.literal), '\(column)'), \(next), false)"
    }

    /// Creates the indexes of a table.
    ///
    /// An index cannot hold values of more than some 2,700 bytes. Without it, rows are found all the same, unless it
    /// makes values unique.
    private func addIndexes(of table: PostgresTable) throws {
        for (index, statement) in zip(table.raw.indexes, table.indexCreation) {
            do {
                try run(["SAVEPOINT \"index\"", statement, "RELEASE SAVEPOINT \"index\""])
            } catch let error as StoreError where error.concernsSize && !index.isUnique {
                try connection.run(script: "ROLLBACK TO SAVEPOINT \"index\"")
            }
        }
    }

    /// Returns the names of the indexes that were left out, perhaps by an interrupted part of the copy.
    private func omittedIndexes() throws -> [String] {
        let sql = """
            SELECT "index"."relname"::text FROM \(PostgresSession.relations(in: "$1"))
            JOIN "pg_catalog"."pg_index" ON "indrelid" = "table"."oid"
            JOIN "pg_catalog"."pg_class" AS "index" ON "index"."oid" = "indexrelid"
            """
        let schema = PostgresValue.text(PostgresName.shortened(layout.name))
        let present = try Set(
            connection.rows(PostgresStatement(sql, .text), [schema]) { try $0.value(0, as: String.self) }
        )
        return layout.tables.flatMap(\.raw.indexes).map(\.name)
            .filter { !present.contains(PostgresName.shortened($0)) }
    }

    private func compare() throws {
        // Once another program has finished the copy, others may write to it.
        guard try SchemaState(of: layout.name, connection) == .unfinishedCopy else { throw StoreError.copiedTwice }
        if layout.hasTenants { try TenantPolicies(layout.name).readAll(on: connection) }
        let comparison = CopyComparison(reader, layout, connection)
        guard try FileRecord(layout, connection) == record else {
            throw StoreError.changedMeanwhile(layout.name, "the highest numbers of its objects are different")
        }
        if let difference = try comparison.difference() { throw StoreError.changedMeanwhile(layout.name, difference) }
        report.objectCount = comparison.objectCount
        report.blobCount = comparison.blobCount
        report.faults = comparison.faults
        report.otherTables = reader.others
        report.omittedIndexes = try omittedIndexes()
    }
}

extension PostgresTable {
    /// What a COPY fills: the table's own columns, and the tenant that the file does not have.
    fileprivate var target: String { "\(name) (\(columnList)\(hasPieces ? ", \(Self.tenant)" : ""))" }
}

extension StoreError {
    /// Returns the error of a schema that is not empty, with the option of the command line that names another one.
    static func schemaExists(_ schema: String, _ what: String, option: String? = nil) -> Self {
        let hint = option.map { " (“\($0)” on the command line)" } ?? ""
        let remedy = "choose another schema\(hint), or drop this one if its contents are no longer needed"
        return Self(.fileExists, "the schema “\(schema)” \(what); \(remedy)")
    }

    static func changedMeanwhile(_ schema: String, _ what: String) -> Self {
        let remedy = "drop the schema, and copy again while no program changes the store"
        return Self(.storeChanged, "the store and its copy in the schema “\(schema)” differ: \(what); \(remedy)")
    }
}
