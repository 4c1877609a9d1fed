internal import CDeflate
internal import Foundation

/// Decompresses the copy of the model in a store, which is raw DEFLATE.
enum Inflation {
    /// The size that is not exceeded, whatever the input.
    ///
    /// The largest real models have 130 KB.
    private static let largest = 16 << 20
    /// The largest ratio of the sizes.
    ///
    /// Real models are compressed to about half their size.
    private static let ratio = 100

    /// Returns the decompressed bytes.
    ///
    /// - Parameter input: The compressed bytes.
    /// - Returns: The decompressed bytes.
    /// - Throws: `CoreDataError` if the bytes are not raw DEFLATE as a whole, or are too large.
    static func inflate(_ input: Data) throws(CoreDataError) -> Data {
        let limit = min(largest, max(1 << 20, input.count.multipliedReportingOverflow(by: ratio).partialValue))
        guard input.count <= largest, let decompressor = unsafe libdeflate_alloc_decompressor() else {
            throw CoreDataError(.limitExceeded, "the store's copy of the model is larger than \(largest) bytes")
        }
        defer { unsafe libdeflate_free_decompressor(decompressor) }
        var capacity = min(limit, max(1 << 16, input.count * 4))
        while true {
            var output = Data(count: capacity)
            var (read, written) = (0, 0)
            let result = unsafe input.withUnsafeBytes { source in
                unsafe output.withUnsafeMutableBytes { target in
                    unsafe libdeflate_deflate_decompress_ex(
                        decompressor,
                        source.baseAddress,
                        source.count,
                        target.baseAddress,
                        target.count,
                        &read,
                        &written
                    )
                }
            }
            switch result {
            case LIBDEFLATE_SUCCESS where read == input.count: return output.prefix(written)
            case LIBDEFLATE_INSUFFICIENT_SPACE where capacity < limit: capacity = min(limit, capacity * 8)
            case LIBDEFLATE_INSUFFICIENT_SPACE:
                throw CoreDataError(.limitExceeded, "the store's copy of the model is larger than \(limit) bytes")
            default: throw CoreDataError(.notAModel, "the store's copy of the model is not compressed as expected")
            }
        }
    }
}
