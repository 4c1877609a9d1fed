internal import CSodium
internal import Transformable

/// The state of the libsodium library.
enum Sodium {
    /// libsodium treats repeated initialization as success, and a failure is permanent.
    private static let isReady = sodium_init() >= 0

    /// Initializes the library.
    ///
    /// After the first call, this costs only a comparison.
    static func initialize() throws(TransformerError) {
        guard isReady else { throw .cryptographyUnavailable }
    }

    /// Throws an error if a return code indicates a failure.
    ///
    /// Use it for calls that fail only if a length is wrong, which never happens here, or if the machine fails.
    static func check(_ code: Int32) throws(TransformerError) {
        guard code == 0 else { throw .cryptographyUnavailable }
    }

    /// Fills memory with bytes from the system's random number generator.
    static func fillRandomly(_ buffer: UnsafeMutableRawBufferPointer) {
        guard let start = buffer.baseAddress else { return }
        unsafe randombytes_buf(start, buffer.count)
    }

    /// Clears memory irreversibly.
    static func wipe(_ buffer: UnsafeMutableRawBufferPointer) {
        guard let start = buffer.baseAddress else { return }
        unsafe sodium_memzero(start, buffer.count)
    }

    /// Returns whether two buffers of the same length are equal, in a time that depends only on the length.
    static func areEqual(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Bool {
        guard left.count == right.count else { return false }
        guard let leftStart = unsafe left.octets, let rightStart = unsafe right.octets else { return true }
        // `crypto_verify_64` uses vector instructions, while `sodium_memcmp` compares byte by byte.
        let whole = left.count & ~63
        var difference: Int32 = 0
        for offset in stride(from: 0, to: whole, by: 64) {
            difference |= unsafe crypto_verify_64(leftStart + offset, rightStart + offset)
        }
        difference |= unsafe sodium_memcmp(leftStart + whole, rightStart + whole, left.count - whole)
        return difference == 0
    }
}

extension UnsafeRawBufferPointer {
    /// The bytes as a pointer for libsodium, or nil if there are none.
    var octets: UnsafePointer<UInt8>? {
        unsafe assumingMemoryBound(to: UInt8.self).baseAddress
    }
}

extension UnsafeMutableRawBufferPointer {
    /// The bytes as a pointer for libsodium, or nil if there are none.
    var octets: UnsafeMutablePointer<UInt8>? {
        unsafe assumingMemoryBound(to: UInt8.self).baseAddress
    }
}
