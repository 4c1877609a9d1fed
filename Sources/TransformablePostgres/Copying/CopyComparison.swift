internal import Foundation
internal import TransformableModel
internal import TransformableSQLite
internal import TransformableStore

/// Compares the file of a store with the tables of its copy, cell by cell and byte by byte.
final class CopyComparison {
    private let reader: RawReader
    private let layout: PostgresLayout
    private let connection: PostgresConnection

    /// The number of objects that both sides have.
    private(set) var objectCount = 0
    /// The number of blobs whose bytes both sides have.
    private(set) var blobCount = 0
    /// The blobs that are missing or damaged on both sides.
    private(set) var faults: [StoreError] = []

    init(_ reader: RawReader, _ layout: PostgresLayout, _ connection: PostgresConnection) {
        self.reader = reader
        self.layout = layout
        self.connection = connection
    }

    /// Compares everything, and returns what the first difference is about, or `nil` if there is none.
    func difference() throws -> String? {
        // Files that are about to be removed are not copied.
        for table in layout.tables where table.raw.name != PostgresLayout.garbageTable {
            if let difference = try difference(of: table) { return difference }
        }
        return try differenceOfBlobs()
    }

    private func difference(of table: PostgresTable) throws -> String? {
        let codec = RowCodec(table)
        let types = table.columns.map(\.type)
        let rows = try reader.rows(of: table.raw)
        var fields = RowFields()
        var difference: String?
        let select = try codec.query(on: connection)
        let count = try connection.copyOut("COPY (\(select)) TO STDOUT (FORMAT binary)") { other in
            guard difference == nil else { return }
            guard let row = try rows.next() else {
                difference = "“\(table.raw.name)” has more rows in PostgreSQL"
                return
            }
            try codec.encode(row, into: &fields)
            guard !fields.isEqual(to: other, types) else { return }
            difference = "a row of “\(table.raw.name)”, number \(CopyJournal.Entry.text(codec.key(of: row)))"
        }
        if difference == nil, try rows.next() != nil { difference = "“\(table.raw.name)” has fewer rows in PostgreSQL" }
        if table.raw.entity != nil { objectCount += count }
        return difference
    }

    // MARK: - Blobs

    private func differenceOfBlobs() throws -> String? {
        guard let table = layout.table(PostgresLayout.blobTable), let chunks = layout.table(PostgresLayout.chunkTable)
        else { return nil }
        let blobs = BlobChunks(reader, try reader.rows(of: table.raw), table)
        let select = "SELECT \(chunks.columnList) FROM \(chunks.name) ORDER BY \(chunks.keyList)"
        var isEqual = true
        try connection.copyOut("COPY (\(select)) TO STDOUT (FORMAT binary)") { row in
            guard isEqual else { return }
            let own = try blobs.next()
            isEqual =
                try row.value(0, as: UUID.self) == own?.uuid && row.value(1, as: Int64.self) == own?.index
                && row.value(2, as: Data.self) == own?.bytes
        }
        guard isEqual, try blobs.next() == nil else { return "the bytes of a blob" }
        blobCount = blobs.count
        faults = blobs.faults.map(located)
        return nil
    }

    /// Adds the names of the entity and the attribute to an error with their numbers.
    private func located(_ fault: (blob: BlobRow, error: StoreError)) -> StoreError {
        var error = fault.error
        let place = fault.blob.place
        error.entity = name(of: place.entity, in: "_transformable_entity")
        error.attribute = name(of: place.attribute, in: "_transformable_attribute")
        error.object = error.entity.map { ObjectID(entity: $0, number: place.object) }
        return error
    }

    private func name(of number: Int64, in table: String) -> String? {
        guard let table = layout.table(table)?.raw, number > 0,
            let row = try? reader.rows(of: table, after: [.integer(number - 1)]).next(), row.integer(0) == number
        else { return nil }
        return table.columns.firstIndex { $0.name == "name" }.flatMap(row.text)
    }
}

/// The pieces of all blobs of a file, in the order of their UUIDs.
private final class BlobChunks {
    private let reader: RawReader
    private let rows: RawRows
    private let table: PostgresTable
    private var current: (blob: BlobRow, file: BlobReader, index: Int64)?
    private(set) var count = 0
    private(set) var faults: [(blob: BlobRow, error: StoreError)] = []

    init(_ reader: RawReader, _ rows: RawRows, _ table: PostgresTable) {
        self.reader = reader
        self.rows = rows
        self.table = table
    }

    /// Returns the next piece, or `nil` at the end.
    func next() throws -> (uuid: UUID, index: Int64, bytes: Data)? {
        while true {
            if let (blob, opened, index) = current {
                var file = opened
                let piece = try file.read(upTo: PostgresLayout.chunkSize)
                current = (blob, file, index + 1)
                guard piece.isEmpty else { return (blob.uuid, index, piece) }
                finish(blob, file)
            }
            guard let row = try rows.next() else { return nil }
            let blob = try BlobRow(row, of: table)
            if let file = try reader.blob(blob.uuid) {
                current = (blob, file, 0)
            } else {
                faults.append((blob, StoreError(.missingBlob, "its file is missing; restore it from a backup")))
            }
        }
    }

    private func finish(_ blob: BlobRow, _ file: consuming BlobReader) {
        current = nil
        count += 1
        guard !file.matches(length: blob.length, checksum: blob.checksum) else { return }
        let message = "its file does not match the bytes that were written; restore it from a backup"
        faults.append((blob, StoreError(.damagedBlob, message)))
    }
}
