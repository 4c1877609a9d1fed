internal import CPNGShims
internal import Foundation

/// Functions for zlib streams, which PNG uses for texts and profiles.
enum Zlib {
    /// Decompresses a stream, or returns nil if it is damaged or its contents are larger than `limit` bytes.
    static func inflate(_ bytes: Data, limit: Int) -> Data? {
        guard limit >= 0 else { return nil }
        return unsafe bytes.withUnsafeBytes { input in
            guard let start = input.baseAddress else { return nil }
            var buffer = unsafe tfp_buffer()
            guard unsafe tfp_inflate(start, input.count, limit, &buffer) == TFP_OK else { return nil }
            return unsafe Data(taking: &buffer)
        }
    }

    /// Compresses bytes, or returns nil if there is not enough memory.
    static func deflate(_ bytes: Data, compression: Int = 9) -> Data? {
        unsafe bytes.withUnsafeBytes { input in
            guard let start = input.baseAddress else { return nil }
            var buffer = unsafe tfp_buffer()
            guard unsafe tfp_deflate(start, input.count, Int32(compression), &buffer) == TFP_OK else { return nil }
            return unsafe Data(taking: &buffer)
        }
    }
}
