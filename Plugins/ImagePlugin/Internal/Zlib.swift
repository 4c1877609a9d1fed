internal import CJPEGShims
internal import CPNGShims
internal import Foundation

/// Functions for zlib streams, which PNG uses for text and profiles.
enum Zlib {
    /// Decompresses a stream, or returns nil if it is damaged or its contents are larger than `limit` bytes.
    ///
    /// `work` is reduced by the number of bytes that were decompressed, even if the result is nil.
    static func inflate(_ bytes: Data, limit: Int, work: inout Int) -> Data? {
        guard limit >= 0 else { return nil }
        var produced = 0
        defer { work -= produced }
        return unsafe bytes.withUnsafeBytes { input in
            guard let start = input.baseAddress else { return nil }
            var buffer = unsafe tfp_buffer()
            guard unsafe tfp_inflate(start, input.count, limit, &buffer, &produced) == TFP_OK else { return nil }
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

extension Data {
    /// Takes ownership of memory that the PNG shim allocated with malloc, without copying it.
    @unsafe init(taking buffer: inout tfp_buffer) {
        unsafe self.init(taking: buffer.bytes, count: buffer.count)
        unsafe buffer = tfp_buffer()
    }

    /// Takes ownership of memory that the JPEG shim allocated with malloc, without copying it.
    @unsafe init(taking buffer: inout tfj_buffer) {
        unsafe self.init(taking: buffer.bytes, count: buffer.count)
        unsafe buffer = tfj_buffer()
    }

    @unsafe private init(taking bytes: UnsafeMutableRawPointer?, count: Int) {
        if let bytes = unsafe bytes, count > 0 {
            unsafe self.init(bytesNoCopy: bytes, count: count, deallocator: .free)
        } else {
            unsafe free(bytes)
            self.init()
        }
    }
}
