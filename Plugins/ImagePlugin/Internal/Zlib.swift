internal import CPNGShims
internal import Foundation

/// zlib streams, as PNG's texts and profiles have them.
enum Zlib {
    /// What a stream holds; nil if it is damaged or holds more than `limit` bytes.
    static func inflate(_ bytes: Data, limit: Int) -> Data? {
        guard limit >= 0 else { return nil }
        return unsafe bytes.withUnsafeBytes { input in
            guard let start = input.baseAddress else { return nil }
            var buffer = unsafe tfp_buffer()
            guard unsafe tfp_inflate(start, input.count, limit, &buffer) == TFP_OK else { return nil }
            return unsafe Data(taking: &buffer)
        }
    }

    /// The stream that holds bytes; nil if there is no memory for it.
    static func deflate(_ bytes: Data, compression: Int = 9) -> Data? {
        unsafe bytes.withUnsafeBytes { input in
            guard let start = input.baseAddress else { return nil }
            var buffer = unsafe tfp_buffer()
            guard unsafe tfp_deflate(start, input.count, Int32(compression), &buffer) == TFP_OK else { return nil }
            return unsafe Data(taking: &buffer)
        }
    }
}
