internal import CJPEGShims
internal import CPNGShims
internal import Foundation

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
