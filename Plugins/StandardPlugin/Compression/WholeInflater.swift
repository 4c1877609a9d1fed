internal import CDeflate
internal import Foundation

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
