public import Foundation
internal import Glibc

extension Store {
    /// Copies the store along with its external values, from one snapshot, concurrently with readers and writers.
    ///
    /// The copy appears as a whole or not at all, with the permissions of the store's file. If an attribute is
    /// confidential, only the owner can read the copy. Until it is complete, it is in a folder that only its owner can
    /// access. If a process is killed, the next copy or export at the same location removes what was left behind. The
    /// copy keeps the store's UUID, so transformers that bind values to the store can read it. External values are
    /// verified while they are copied. Damaged ones are copied unchanged and reported.
    ///
    /// - Parameter url: The copy's file. It must not exist, and neither must a folder of external values or a log next to
    ///   it. No file is replaced, even one that appears while the store is being copied.
    /// - Returns: The external values that are missing or damaged, both in the store and in the copy.
    /// - Throws: `StoreError` with the code `file-exists`, `cannot-create`, `disk-full`, or `input-output`, or with the
    ///   code `store-changed` if another program has migrated the file. If the copy has appeared, but may be missing after
    ///   a power failure, the code is `input-output`, and the message says so.
    @discardableResult
    public func copy(to url: URL) throws -> [StoreError] {
        try copy(to: url, watch: nil)
    }

    /// Copies the store.
    ///
    /// - Parameters:
    ///   - url: The copy's file.
    ///   - watch: Removes what is unfinished when the process is interrupted.
    /// - Returns: The external values that are missing or damaged.
    /// - Throws: `StoreError` if the copy cannot be made.
    package func copy(to url: URL, watch: (any WorkingFolderWatch)?) throws -> [StoreError] {
        try Nesting.check(self)
        let path = url.standardizedFileURL.path
        let folder = try blobFolder()
        // Hold from before the snapshot, so that no sweep removes files that it refers to.
        return try BlobFolder.holding(folder) { hold in
            let working = try NewFile.folder(for: NewFile.storeFiles(path), watch: watch)
            return try NewFile.build(path, in: working) {
                let mode = BlobFolder(of: engine.path).mode
                let copy = StoreCopy(from: self, and: folder, mode: mode, to: working.result)
                let faults = try copy.run(engine, hold)
                try NewFile.publish(working, as: path, suffixes: [BlobFolder.path(of: "")])
                return faults
            }
        }
    }

    /// Returns the folder of external values, even if there were none when the store was opened.
    ///
    /// Another program may have added some.
    private func blobFolder() throws -> BlobFolder? {
        try (schema.blobs ?? engine.read { try BlobStorage($0.dialect, file: $0.filePath()) })?.folder
    }
}

/// A copy in progress.
private struct StoreCopy {
    private let schema: StoreSchema
    private let seal: StoreSeal?
    private let source: BlobFolder?
    private let names: [UInt32: (entity: String, attributes: [UInt32: String])]
    private let path: String
    private let mode: mode_t

    /// Creates a copy with the permissions of the store's file, unless it is confidential.
    init(from store: Store, and blobs: BlobFolder?, mode: mode_t, to path: String) {
        schema = store.schema
        seal = store.seal
        source = blobs
        names = Dictionary(
            schema.entities.map { entity in
                (entity.id, (entity.name, Dictionary(entity.columns.map { ($0.id, $0.name) }) { first, _ in first }))
            }
        ) { first, _ in first }
        self.path = path
        let isConfidential = schema.entities.lazy.flatMap(\.columns)
            .contains { $0.isConfidential || ($0.failure != nil && $0.description.type == .transformed) }
        self.mode = isConfidential ? 0o600 : mode
    }

    func run(_ engine: any Engine, _ hold: BlobFolder.Hold?) throws -> [StoreError] {
        // SQLite gives its own files next to it the same permissions.
        _ = try FileSystem.create(path)
        let copy = try engine.copy(to: path)
        try hold?.confirm()
        let faults = try copy.write { copy in
            // Only the model that the store was opened with says which values are outside of the file.
            try SchemaWatch(seal: seal).check(schema, on: copy)
            try copy.run("DELETE FROM \"_transformable_garbage\"")
            return try copyBlobs(copy)
        }
        try copy.close()
        guard unsafe chmod(path, mode) == 0 else { throw FileSystem.failure("created", path) }
        return faults
    }

    private func copyBlobs(_ copy: any EngineConnection) throws -> [StoreError] {
        guard let source else { return [] }
        let sql =
            "SELECT \"uuid\", \"length\", \"checksum\", \"entity\", \"attribute\", \"object\" FROM \"_transformable_blob\""
        let rows = try copy.statement(sql, cached: false)
        defer { rows.reset() }
        var target: BlobFolder?
        var faults: [StoreError] = []
        while try rows.step() {
            let row = rows.packedRow(from: 0, count: 6)
            guard let uuid = row.text(0).flatMap(UUID.init(uuidString:)) else {
                faults.append(located(StoreError(.damagedBlob, "the store's record of the blob is damaged"), row))
                continue
            }
            let folder = try target ?? makeFolder()
            target = folder
            // A checksum of another kind does not match any bytes.
            let checksum = row.kind(2) == .blob ? row.data(2) : Data()
            let record = BlobRecord(uuid: uuid, length: row.integer(1), checksum: checksum)
            if let fault = try copyBlob(record, from: source, to: folder) { faults.append(located(fault, row)) }
        }
        try target.map { try FileSystem.synchronize(folder: $0.path) }
        return faults
    }

    private func makeFolder() throws -> BlobFolder {
        let folder = BlobFolder(of: path, mode: mode)
        try folder.make()
        return folder
    }

    /// Copies a blob's file, and returns what is wrong with it, if anything.
    private func copyBlob(
        _ record: BlobRecord,
        from source: BlobFolder,
        to target: BlobFolder
    ) throws -> StoreError? {
        let path = source.path(of: record.uuid)
        guard let descriptor = try FileSystem.openToRead(path) else {
            return StoreError(.missingBlob, "its file “\(path)” is missing; restore it from a backup")
        }
        let copy = try PendingBlob(in: .folder(target))
        let hasOtherLength = FileSystem.length(of: descriptor) != record.length
        var reader = FileReader(descriptor, path: path)
        while true {
            // A sparse file can have any length, and does not match its checksum anyway.
            if hasOtherLength { try copy.leaveHole(to: reader.skipHole(leaving: 0)) }
            let piece = try reader.read(upTo: 1 << 20)
            guard !piece.isEmpty else { break }
            try copy.write(piece)
        }
        let (length, checksum) = (copy.length, try copy.place(as: record.uuid, in: target))
        guard length == record.length, checksum == record.checksum else {
            let message = "its file “\(path)” does not match the bytes that were written; restore it from a backup"
            return StoreError(.damagedBlob, message)
        }
        return nil
    }

    private func located(_ fault: StoreError, _ row: PackedRow) -> StoreError {
        var fault = fault
        let owner = names[UInt32(truncatingIfNeeded: row.integer(3))]
        fault.entity = owner?.entity
        fault.attribute = owner?.attributes[UInt32(truncatingIfNeeded: row.integer(4))]
        fault.object = owner.map { ObjectID(entity: $0.entity, number: row.integer(5)) }
        return fault
    }
}
