internal import Foundation
internal import Transformable
internal import TransformableModel
internal import TransformableSQLite
internal import TransformableStore

/// Copies the tables of a store in a PostgreSQL database to a new file, from one snapshot.
struct CopyFromPostgres {
    let schema: String
    let connection: PostgresConnection
    let transformers: TransformerRegistry
    let progress: (Int) -> Void

    /// Copies everything, compares both sides, and moves the file to its place.
    func run(_ writer: RawWriter) throws -> PostgresCopyReport {
        try connection.transaction(.snapshot) { try requireStore() }
        let report = try connection.transaction(.snapshot) {
            try keepTables()
            try connection.liftTimeLimits()
            try requireStore()
            // Without this, rows of tenants would be missing from the copy.
            try TenantPolicies(schema).readAll(on: connection)
            let record = try FileRecord(PostgresLayout([], in: schema), connection)
            let names = record.definitions.filter { $0.type == "table" }.map(\.name)
            try TenantPolicies(schema).requireAllRows(of: names, on: connection)
            try writer.fill { content in try fill(content, record) }
            return try writer.review(transformers) { store in try store.readRaw { try compare($0, record) } }
        }
        try writer.publish()
        return report
    }

    /// Throws an error unless the schema contains a store.
    private func requireStore() throws {
        let state = try SchemaState(of: schema, connection)
        switch state {
        case .store: return
        case .missing, .empty, .other:
            let remedy = "use the schema that contains it (“--schema” on the command line)"
            let code: StoreError.Code = state == .other ? .notAStore : .noSuchFile
            throw StoreError(code, "there is no store in the schema “\(schema)”; \(remedy)")
        case .unfinishedCopy:
            let remedy = "finish it by copying the same file to the schema again"
            throw StoreError(.busy, "the schema “\(schema)” contains an unfinished copy; \(remedy)")
        }
    }

    /// Waits until nobody changes the tables, and keeps others from changing them until the transaction ends.
    ///
    /// A snapshot from before such a change would show new tables without their rows, so the lock comes before the
    /// snapshot. It needs no more than the privilege to read the table.
    private func keepTables() throws {
        let table = PostgresLayout([], in: schema).name(of: "_transformable_store")
        try connection.limitWaits()
        try connection.execute(PostgresStatement("LOCK TABLE \(table) IN ACCESS SHARE MODE"))
    }

    // MARK: - Filling the file

    private func fill(_ content: RawContent, _ record: FileRecord) throws {
        try content.create(record.definitions)
        let metadata = PostgresLayout(try content.metadataTables(), in: schema)
        var count = 0
        for table in metadata.tables { count = try carry(table, to: content, after: count) }
        let layout = PostgresLayout(try content.tables(), in: schema)
        for table in layout.tables where table.raw.role != .metadata {
            count = try carry(table, to: content, after: count)
        }
        try carryBlobs(layout, to: content)
        try content.finish(record.definitions, record.sequences)
    }

    /// Copies the rows of a table, and returns the number of rows that have been copied so far.
    private func carry(_ table: PostgresTable, to content: RawContent, after count: Int) throws -> Int {
        let codec = RowCodec(table)
        let insertion = try content.rows(of: table.raw)
        let select = try codec.query(on: connection)
        var count = count
        try connection.copyOut("COPY (\(select)) TO STDOUT (FORMAT binary)") { row in
            try insertion.insert(codec.decode(row))
            count += 1
            if count.isMultiple(of: 1000) { progress(count) }
        }
        return count
    }

    private func carryBlobs(_ layout: PostgresLayout, to content: RawContent) throws {
        guard let chunks = layout.table(PostgresLayout.chunkTable) else { return }
        var current: (blob: RawBlobWriter, next: Int64)?
        let select = "SELECT \(chunks.columnList) FROM \(chunks.name) ORDER BY \(chunks.keyList)"
        try connection.copyOut("COPY (\(select)) TO STDOUT (FORMAT binary)") { row in
            let (uuid, index) = (try row.value(0, as: UUID.self), try row.value(1, as: Int64.self))
            if current?.blob.uuid != uuid {
                try current?.blob.finish()
                current = (try content.blob(uuid), 0)
            }
            guard let blob = current, blob.next == index else {
                throw StoreError(.damagedBlob, "a piece of the blob \(uuid) is missing; restore a backup")
            }
            try blob.blob.write(row.value(2))
            current = (blob.blob, index + 1)
        }
        try current?.blob.finish()
    }

    // MARK: - Comparing

    private func compare(_ reader: RawReader, _ record: FileRecord) throws -> PostgresCopyReport {
        try reader.requireReferences()
        let layout = PostgresLayout(reader.tables, in: schema)
        let comparison = CopyComparison(reader, layout, connection)
        guard try FileRecord(reader) == record else {
            throw different("the definitions of its tables")
        }
        if let difference = try comparison.difference() { throw different(difference) }
        var report = PostgresCopyReport()
        report.objectCount = comparison.objectCount
        report.blobCount = comparison.blobCount
        report.faults = comparison.faults
        return report
    }

    private func different(_ what: String) -> StoreError {
        StoreError(.corruptFile, "the copy differs from the schema “\(schema)”: \(what)")
    }
}
