internal import CDeflate
internal import CZlib
internal import Foundation
internal import Transformable

/// A decompression with zlib.
@safe
final class Inflater {
    // Owned by this object: initialized in `init`, ended once in `deinit`, and never moved, as zlib requires.
    private let stream: UnsafeMutablePointer<z_stream>
    private let format: CompressionFormat
    private let limit: Int
    private var buffer = [UInt8](repeating: 0, count: 1 << 16)
    // The numbers of bytes read and written.
    private var offset = 0
    private var produced = 0
    // The offset of the current stream, or of the next one if the current one has ended.
    private var streamStart = 0
    // Whether a stream has started but not ended, and whether a stream has ended.
    private var isWithin = false
    private var isWhole = false
    // Whether zlib may have more output without further input.
    private var hasMore = false

    init(_ format: CompressionFormat, limit: Int) throws(TransformerError) {
        self.format = format
        self.limit = limit
        unsafe stream = .allocate(capacity: 1)
        unsafe stream.initialize(to: z_stream())
        guard unsafe tfz_inflate_init(stream, format.windowBits) == Z_OK else {
            throw TransformerError(.limitExceeded, "zlib does not have enough memory to decompress")
        }
    }

    deinit {
        unsafe inflateEnd(stream)
        unsafe stream.deallocate()
    }

    func inflate(_ input: Data) throws(TransformerError) -> Data {
        var output = Data()
        var rest = input
        while let piece = try next(&rest) { output.append(piece) }
        try finish()
        return output
    }

    /// Decompresses the next bytes into a single piece, and removes them from the input, or returns nil if there are
    /// none left.
    func next(_ rest: inout Data) throws(TransformerError) -> Data? {
        while !rest.isEmpty || hasMore {
            guard isWithin || !isWhole || format == .gzip && rest.first == Self.gzipStart else { throw trailingData }
            // zlib uses 32 bits for the size of a call's input.
            let step = step(rest.prefix(1 << 30))
            rest = rest.dropFirst(step.consumed)
            try note(step)
            if step.produced > 0 { return Data(buffer[..<step.produced]) }
        }
        return nil
    }

    private func note(_ step: Step) throws(TransformerError) {
        offset += step.consumed
        produced += step.produced
        guard produced <= limit else {
            throw .limitExceeded(
                "the decompressed data is larger than \(limit) bytes; raise “limit” to read it",
                offset: offset
            )
        }
        isWithin = isWithin || step.consumed > 0
        hasMore = step.produced == buffer.count
        switch step.status {
        case Z_OK, Z_BUF_ERROR: break
        case Z_STREAM_END:
            (isWithin, isWhole, hasMore) = (false, true, false)
            streamStart = offset
            unsafe inflateReset(stream)
        default: throw failure(step, at: offset)
        }
    }

    /// Ends the input.
    func finish() throws(TransformerError) {
        guard isWhole, !isWithin else {
            if isWhole, offset - streamStart == 1 { throw trailingData }
            throw TransformerError(.truncatedData, "the compressed data is truncated", offset: offset)
        }
    }

    /// The first byte of a gzip file, and of each further member.
    private static let gzipStart: UInt8 = 0x1F

    private var trailingData: TransformerError {
        TransformerError(
            .trailingData,
            "there are bytes after the end of the compressed data",
            offset: streamStart
        )
    }

    private struct Step {
        var status: Int32
        var consumed: Int
        var produced: Int
        var message: String
    }

    private func step(_ part: Data) -> Step {
        unsafe part.withUnsafeBytes { bytes in
            // zlib does not write to its input, but the type of `next_in` reflects this only from version 1.3.2 on.
            unsafe stream.pointee.next_in = UnsafeMutablePointer(mutating: bytes.bindMemory(to: UInt8.self).baseAddress)
            unsafe stream.pointee.avail_in = UInt32(part.count)
            return unsafe buffer.withUnsafeMutableBufferPointer { space in
                unsafe stream.pointee.next_out = space.baseAddress
                unsafe stream.pointee.avail_out = UInt32(space.count)
                let status = unsafe CZlib.inflate(stream, Z_NO_FLUSH)
                let step = unsafe Step(
                    status: status,
                    consumed: part.count - Int(stream.pointee.avail_in),
                    produced: space.count - Int(stream.pointee.avail_out),
                    message: stream.pointee.msg.map { unsafe String(cString: $0) } ?? ""
                )
                unsafe stream.pointee.next_in = nil
                return step
            }
        }
    }

    private func failure(_ step: Step, at offset: Int) -> TransformerError {
        switch (step.status, step.message) {
        case (_, "incorrect header check") where isWhole: trailingData
        case (Z_NEED_DICT, _):
            TransformerError(.unsupported, "the data is compressed with a preset dictionary", offset: offset)
        case (Z_MEM_ERROR, _):
            TransformerError(.limitExceeded, "zlib does not have enough memory to decompress", offset: offset)
        case (_, "incorrect data check"), (_, "incorrect length check"):
            TransformerError(.checksumMismatch, "the decompressed data does not match its checksum", offset: offset)
        default:
            .invalidData("the data is not compressed in this format: \(step.message)", offset: offset)
        }
    }
}

/// A decompression of a value that is in memory as a whole, with libdeflate, which is faster than zlib but neither says
/// what is wrong with damaged data, nor where.
enum WholeInflater {
    /// Returns the decompressed bytes, or nil if zlib has to look at the input: because it is damaged, larger than the
    /// limit, or in a rare form of the format.
    static func inflate(_ input: Data, _ format: CompressionFormat, limit: Int) -> Data? {
        guard isCommon(input, format), let decompressor = unsafe libdeflate_alloc_decompressor() else { return nil }
        defer { unsafe libdeflate_free_decompressor(decompressor) }
        var capacity = min(expectedCount(input, format), limit)
        while let output = OutputBuffer(capacity: capacity) {
            switch unsafe inflate(input, into: output.bytes, format, decompressor) {
            case .whole(let count): return output.data(count: count)
            case .unreadable: return nil
            case .tooSmall:
                let largest = min(limit, maximumCount(input))
                guard format != .gzip, capacity < largest else { return nil }
                capacity = min(capacity * growth, largest)
            }
        }
        return nil
    }

    // What zlib checks and libdeflate does not: smaller windows, and checksums of headers.
    private static func isCommon(_ input: Data, _ format: CompressionFormat) -> Bool {
        switch format {
        case .deflate: !input.isEmpty
        case .zlib: input.first == zlibHeader
        case .gzip: input.count >= gzipOverhead && input[input.startIndex + 3] & headerChecksumFlag == 0
        }
    }

    /// The size that a gzip file states at its end, or a guess that is large enough for most data: memory that is not
    /// written to costs nothing, and a second attempt does.
    private static func expectedCount(_ input: Data, _ format: CompressionFormat) -> Int {
        guard format == .gzip else { return min(max(input.count * growth, 4096), maximumCount(input)) }
        let stated = input.suffix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
        return min(stated, maximumCount(input))
    }

    /// The size that the input cannot exceed: DEFLATE needs at least one bit for 129 bytes.
    private static func maximumCount(_ input: Data) -> Int {
        input.count * 8 * 129
    }

    private enum Outcome {
        case whole(Int)
        case tooSmall
        case unreadable
    }

    private static func inflate(
        _ input: Data,
        into output: UnsafeMutableRawBufferPointer,
        _ format: CompressionFormat,
        _ decompressor: OpaquePointer
    ) -> Outcome {
        let function =
            switch format {
            case .deflate: unsafe libdeflate_deflate_decompress_ex
            case .zlib: unsafe libdeflate_zlib_decompress_ex
            case .gzip: unsafe libdeflate_gzip_decompress_ex
            }
        var (read, written) = (0, 0)
        let result = unsafe input.withUnsafeBytes { bytes in
            unsafe function(
                decompressor,
                bytes.baseAddress,
                bytes.count,
                output.baseAddress,
                output.count,
                &read,
                &written
            )
        }
        return switch result {
        case LIBDEFLATE_SUCCESS where read == input.count: .whole(written)
        case LIBDEFLATE_INSUFFICIENT_SPACE: .tooSmall
        default: .unreadable
        }
    }

    private static let growth = 16
    /// The first byte of zlib's usual header: DEFLATE with a window of 32 KiB.
    private static let zlibHeader: UInt8 = 0x78
    private static let gzipOverhead = 18
    private static let headerChecksumFlag: UInt8 = 0x02
}
