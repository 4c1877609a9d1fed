package import Foundation
internal import Transformable

/// A blob's file, open for reading.
///
/// It stays readable even if a sweep removes its name, or a transaction deletes its pieces.
struct BlobFile: Sendable {
    let record: BlobRecord
    let path: String
    private let descriptor: FileDescriptor
    /// Whether the file belongs to the store, rather than being a temporary copy of pieces in a table.
    let isStored: Bool

    /// Opens a blob.
    ///
    /// - Throws: `StoreError` with the code `missing-blob`, or with the code `damaged-blob` if the
    ///   length is different.
    init(_ record: BlobRecord, in storage: BlobStorage, on connection: any EngineConnection) throws {
        switch storage {
        case .folder(let folder): try self.init(record, in: folder)
        case .table:
            var copies = PieceCopies([record])
            try copies.run(on: connection)
            self = try copies.file(of: record)
        }
    }

    /// Opens blobs, and returns a closure that returns each of them, or throws the error of one that is damaged.
    static func open(
        _ records: [BlobRecord],
        in storage: BlobStorage,
        on connection: any EngineConnection
    ) throws -> (BlobRecord) throws(StoreError) -> BlobFile {
        guard case .table = storage else {
            return { record throws(StoreError) in
                guard let folder = storage.folder else { throw PieceCopies.missing }
                return try BlobFile(record, in: folder)
            }
        }
        var copies = PieceCopies(records)
        try copies.run(on: connection)
        return { [copies] record throws(StoreError) in try copies.file(of: record) }
    }

    fileprivate init(_ record: BlobRecord, copiedTo file: TemporaryFile) {
        (self.record, path, descriptor, isStored) = (record, file.descriptor.path, file.descriptor, false)
    }

    private init(_ record: BlobRecord, in folder: BlobFolder) throws(StoreError) {
        self.record = record
        isStored = true
        path = folder.path(of: record.uuid)
        guard let descriptor = try FileSystem.openToRead(path) else {
            throw StoreError(.missingBlob, "its file “\(path)” is missing; restore it from a backup")
        }
        guard FileSystem.length(of: descriptor) == record.length else {
            let count = record.length
            let written = "\(count.counted("byte")) that were written"
            throw StoreError(.damagedBlob, "its file “\(path)” does not have the \(written); restore it from a backup")
        }
        self.descriptor = descriptor
    }

    /// Reads the file from its start.
    var reader: FileReader { FileReader(descriptor, path: path) }

    /// Reads the bytes, and compares them with their checksum.
    ///
    /// - Throws: `StoreError` with the code `damaged-blob` if they are different, or `input-output`.
    func verify() throws(StoreError) {
        var reader = self.reader
        var digest = BlobDigest()
        while case let piece = try reader.read(upTo: 1 << 20), !piece.isEmpty { digest.add(piece) }
        try require(digest.finish())
    }

    /// Throws an error if the checksum of the bytes that were read is not that of the bytes that were written.
    func require(_ checksum: Data) throws(StoreError) {
        guard checksum != record.checksum else { return }
        let what = isStored ? "its file “\(path)” does" : "its pieces do"
        let remedy = "restore \(isStored ? "it" : "them") from a backup"
        throw StoreError(.damagedBlob, "\(what) not match the bytes that were written; \(remedy)")
    }

    /// Returns the bytes, mapped into memory.
    ///
    /// Opened by its name, the file could be missing or another one by now. Without `/proc`, there is no other way.
    func mapped() throws -> Data {
        try withExtendedLifetime(descriptor) {
            let isReachable = FileSystem.exists(descriptor.path)
            return try Data(contentsOf: URL(filePath: isReachable ? descriptor.path : path), options: .alwaysMapped)
        }
    }
}

/// Copies the pieces of blobs to temporary files without names.
private struct PieceCopies {
    private let records: [UUID: BlobRecord]
    private var files: [UUID: TemporaryFile] = [:]
    // The number of pieces of each blob so far, which is -1 if they are not those that were written.
    private var counts: [UUID: Int64] = [:]

    static var missing: StoreError {
        StoreError(.missingBlob, "its pieces are missing; restore them from a backup")
    }

    init(_ records: [BlobRecord]) {
        self.records = Dictionary(records.map { ($0.uuid, $0) }) { first, _ in first }
    }

    mutating func run(on connection: any EngineConnection) throws {
        let pieces = try connection.requirePieces()
        try pieces.read(Array(records.keys)) { uuid, index, piece throws(StoreError) in
            try add(piece, index, of: uuid)
        }
    }

    private mutating func add(_ piece: Data, _ index: Int64, of uuid: UUID) throws(StoreError) {
        if files[uuid] == nil { files[uuid] = try TemporaryFile() }
        guard let record = records[uuid], let file = files[uuid], counts[uuid, default: 0] == index,
            file.length + Int64(piece.count) <= record.length
        else {
            counts[uuid] = -1
            return
        }
        try file.write(piece)
        counts[uuid, default: 0] += 1
    }

    /// Returns the copy of a blob.
    func file(of record: BlobRecord) throws(StoreError) -> BlobFile {
        guard let file = files[record.uuid] else {
            guard counts[record.uuid] == nil else { throw Self.damaged(record) }
            guard record.length == 0 else { throw Self.missing }
            return BlobFile(record, copiedTo: try TemporaryFile())
        }
        guard counts[record.uuid] != -1, file.length == record.length else { throw Self.damaged(record) }
        return BlobFile(record, copiedTo: file)
    }

    private static func damaged(_ record: BlobRecord) -> StoreError {
        let count = record.length.counted("byte")
        return StoreError(.damagedBlob, "its pieces are not the \(count) that were written; restore them from a backup")
    }
}

/// Reads the bytes of a blob's file, whatever its record says.
package struct BlobReader {
    private var reader: FileReader
    private var digest = BlobDigest()
    private var length: Int64 = 0

    fileprivate init(_ reader: FileReader) {
        self.reader = reader
    }

    /// Returns the next bytes: as many as requested, except at the end.
    package mutating func read(upTo count: Int) throws -> Data {
        let piece = try reader.read(upTo: count)
        digest.add(piece)
        length += Int64(piece.count)
        return piece
    }

    /// Returns whether what was read has the length and the checksum of the blob's record.
    package consuming func matches(length: Int64, checksum: Data) -> Bool {
        self.length == length && digest.finish() == checksum
    }
}

extension Store {
    /// Returns the file of a blob, or `nil` if it is missing or the store has no folder of blobs.
    ///
    /// - Parameter uuid: The blob's UUID.
    /// - Returns: What reads the file.
    /// - Throws: `StoreError` if the file cannot be opened.
    package func blobReader(_ uuid: UUID) throws -> BlobReader? {
        guard let folder = schema.blobs?.folder else { return nil }
        let path = folder.path(of: uuid)
        return try FileSystem.openToRead(path).map { BlobReader(FileReader($0, path: path)) }
    }
}
