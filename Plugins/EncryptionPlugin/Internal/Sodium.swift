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

    /// Whether two stretches of memory of one length agree, in time that depends on the length alone.
    static func areEqual(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Bool {
        guard left.count == right.count else { return false }
        guard let leftStart = left.baseAddress, let rightStart = right.baseAddress else { return true }
        return unsafe sodium_memcmp(leftStart, rightStart, left.count) == 0
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
