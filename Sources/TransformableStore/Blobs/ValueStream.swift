public import Foundation
internal import Transformable

/// A stream of a value's bytes in pieces, for values that are larger than memory.
///
/// ```swift
/// let stream = try document.stream("scan")
/// while let piece = try stream?.next() {
///     try output.write(contentsOf: piece)
/// }
/// ```
///
/// The bytes are those of the value. If some stages need the whole value, they are the bytes that these stages return:
/// for `png | sealed`, the opened PNG file. A stream belongs to one thread at a time, and can be used after its block
/// has ended. Whether all bytes match what was stored is known only at the end. If an error is thrown, discard the
/// bytes that were returned before it.
public final class ValueStream {
    // Small, because a few hostile bytes can expand a thousandfold.
    private static let pieceCount = 1 << 15

    private let source: ValueSource
    private let stream: any ByteStream
    private var file: FileReader?
    private let cell: (any EngineCell)?
    private var digest = BlobDigest()
    private var pieces: [Data] = []
    private var isEnded = false
    // The number of bytes of a cell that have been read.
    private var position = 0

    init(_ source: ValueSource, cell: (any EngineCell)? = nil) throws(StoreError) {
        self.source = source
        self.cell = cell
        do {
            stream = try source.tail.decodingStream(in: source.context)
        } catch {
            throw source.located(error)
        }
        if case .file(let file) = source.bytes { self.file = file.reader }
    }

    /// Returns the next bytes.
    ///
    /// - Returns: At least one byte, or `nil` at the end.
    /// - Throws: `StoreError` with the code `undecodable`, `damaged-blob`, or
    ///   `input-output`.
    public func next() throws -> Data? {
        do {
            while pieces.isEmpty, !isEnded { try advance() }
            return pieces.isEmpty ? nil : pieces.removeFirst()
        } catch {
            isEnded = true
            throw source.located(error)
        }
    }

    /// Passes the next bytes to the stages, and keeps what they return.
    private func advance() throws {
        let bytes = try readStored()
        var output: [Data] = []
        if bytes.isEmpty {
            isEnded = true
            try verify()
            try stream.finish { if !$0.isEmpty { output.append($0) } }
        } else {
            try stream.push(bytes) { if !$0.isEmpty { output.append($0) } }
        }
        pieces = output
    }

    private func readStored() throws(StoreError) -> Data {
        if let cell { return try cell.read(upTo: Self.pieceCount) }
        if case .memory(let bytes) = source.bytes {
            let piece = bytes.dropFirst(position).prefix(Self.pieceCount)
            position += piece.count
            return piece
        }
        let bytes = try file?.read(upTo: Self.pieceCount) ?? Data()
        digest.add(bytes)
        return bytes
    }

    /// Verifies the checksum after everything has been read.
    private func verify() throws(StoreError) {
        guard case .file(let file) = source.bytes else { return }
        let found = digest.finish()
        digest = BlobDigest()
        try file.require(found)
    }
}

@available(*, unavailable)
extension ValueStream: Sendable {}

extension ValueStream {
    /// The maximum size of a value that is read as a whole.
    ///
    /// Larger values must be read as streams.
    static let wholeCount: Int64 = 1 << 30

    /// Reads all bytes.
    func readAll() throws -> Data {
        var whole = Data()
        while let piece = try next() {
            guard Int64(whole.count + piece.count) <= Self.wholeCount else {
                throw source.located(StoreError(.limitExceeded, "the value exceeds a gigabyte; read it as a stream"))
            }
            whole.append(piece)
        }
        return whole
    }
}

/// The location of an attribute's bytes: its cell, or a blob.
enum BytesSource: Sendable {
    case memory(Data)
    case file(BlobFile)
}

/// The source of a value's bytes, before they are opened.
struct ValueSource: Sendable {
    let bytes: BytesSource
    let tail: any StreamTransformer
    let context: TransformContext
    private let entity: String
    private let attribute: String

    /// Creates a source of an attribute's bytes before the stages of a tail, or before the attribute's own tail.
    init(
        _ bytes: BytesSource,
        of attribute: StoredAttribute,
        at place: TransformContext,
        _ tail: (any StreamTransformer)? = nil
    ) {
        self.bytes = bytes
        self.tail = tail ?? attribute.tail
        context = place
        entity = attribute.entity
        self.attribute = attribute.name
    }

    /// Adds the location to an error, and says what cannot be read.
    func located(_ error: any Error) -> StoreError {
        var located =
            error as? StoreError
            ?? StoreError(.undecodable, "the stored bytes cannot be decoded", underlying: error)
        located.entity = located.entity ?? entity
        located.attribute = located.attribute ?? attribute
        located.object = located.object ?? context.object.map { ObjectID(entity: entity, number: $0) }
        return located
    }
}
