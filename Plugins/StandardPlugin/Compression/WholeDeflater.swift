internal import CDeflate
internal import Foundation
internal import Transformable

/// A compression of a value that is in memory as a whole, with libdeflate.
enum WholeDeflater {
    /// The smallest number of bytes that libdeflate compresses.
    ///
    /// For shorter values, zlib is faster, because it takes less time to prepare.
    static let smallestInput = 4096

    static func deflate(_ input: Data, _ format: CompressionFormat, level: Int) throws(TransformerError) -> Data {
        guard let compressor = unsafe libdeflate_alloc_compressor(Int32(level)) else { throw outOfMemory }
        defer { unsafe libdeflate_free_compressor(compressor) }
        let output = unsafe OutputBuffer(capacity: bound(input.count, format, compressor))
        guard let output else { throw outOfMemory }
        let count = unsafe input.withUnsafeBytes { bytes in
            unsafe compress(bytes, into: output.bytes, format, compressor)
        }
        return output.data(count: count)
    }

    private static func bound(_ count: Int, _ format: CompressionFormat, _ compressor: OpaquePointer) -> Int {
        switch format {
        case .deflate: unsafe libdeflate_deflate_compress_bound(compressor, count)
        case .zlib: unsafe libdeflate_zlib_compress_bound(compressor, count)
        case .gzip: unsafe libdeflate_gzip_compress_bound(compressor, count)
        }
    }

    /// Returns the number of bytes written, which is never 0, since the output has room for the largest result.
    private static func compress(
        _ input: UnsafeRawBufferPointer,
        into output: UnsafeMutableRawBufferPointer,
        _ format: CompressionFormat,
        _ compressor: OpaquePointer
    ) -> Int {
        let function =
            switch format {
            case .deflate: unsafe libdeflate_deflate_compress
            case .zlib: unsafe libdeflate_zlib_compress
            case .gzip: unsafe libdeflate_gzip_compress
            }
        return unsafe function(compressor, input.baseAddress, input.count, output.baseAddress, output.count)
    }

    private static var outOfMemory: TransformerError {
        TransformerError(.limitExceeded, "there is not enough memory to compress the value")
    }
}
