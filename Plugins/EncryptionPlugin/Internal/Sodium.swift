internal import CSodium
internal import Transformable

/// The state of the library itself.
enum Sodium {
    /// libsodium counts repeated initialisation as success, and a failure does not go away.
    private static let isReady = sodium_init() >= 0

    /// Makes the library ready; later calls cost a comparison.
    static func initialize() throws(TransformerError) {
        guard isReady else { throw .cryptographyUnavailable }
    }

    /// Turns a return code into an error.
    ///
    /// For calls that fail only on lengths that never occur here, or where the machine does.
    static func check(_ code: Int32) throws(TransformerError) {
        guard code == 0 else { throw .cryptographyUnavailable }
    }

    /// Fills memory from the system's random generator.
    static func fillRandomly(_ buffer: UnsafeMutableRawBufferPointer) {
        guard let start = buffer.baseAddress else { return }
        unsafe randombytes_buf(start, buffer.count)
    }

    /// Clears memory for good.
    static func wipe(_ buffer: UnsafeMutableRawBufferPointer) {
        guard let start = buffer.baseAddress else { return }
        unsafe sodium_memzero(start, buffer.count)
    }

    /// Whether two stretches of memory of one length agree, in time that depends on the length alone.
    static func areEqual(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Bool {
        guard left.count == right.count else { return false }
        guard let leftStart = unsafe left.octets, let rightStart = unsafe right.octets else { return true }
        // `crypto_verify_64` does with vectors what `sodium_memcmp` does byte by byte.
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
    /// The bytes as libsodium takes them; nil for none.
    var octets: UnsafePointer<UInt8>? {
        unsafe assumingMemoryBound(to: UInt8.self).baseAddress
    }
}

extension UnsafeMutableRawBufferPointer {
    /// The bytes as libsodium takes them; nil for none.
    var octets: UnsafeMutablePointer<UInt8>? {
        unsafe assumingMemoryBound(to: UInt8.self).baseAddress
    }
}
