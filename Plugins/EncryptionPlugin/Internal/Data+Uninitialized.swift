internal import Foundation
internal import Transformable

#if canImport(Glibc)
internal import Glibc
#else
internal import Musl
#endif

extension Data {
    /// Creates data in memory that is not cleared first, which saves a fortieth of the time for sealing a megabyte.
    ///
    /// - Parameters:
    ///   - count: The capacity in bytes.
    ///   - fill: A closure that writes the bytes and returns their number.
    /// - Returns: The data.
    /// - Throws: Any error thrown by `fill`.
    @inline(__always)
    static func uninitialized(count: Int, _ fill: (UnsafeMutableRawBufferPointer) throws -> Int) throws -> Data {
        if count <= smallCount { return try unsafe small(count: count, fill) }
        guard let start = unsafe malloc(Swift.max(count, 1)) else { throw TransformerError.cryptographyUnavailable }
        do {
            let written = try unsafe fill(UnsafeMutableRawBufferPointer(start: start, count: count))
            return unsafe Data(bytesNoCopy: start, count: written, deallocator: .free)
        } catch {
            unsafe free(start)
            throw error
        }
    }

    // Up to this size, copying costs less than allocating an object that owns the memory.
    private static var smallCount: Int { 256 }

    @inline(__always)
    private static func small(
        count: Int,
        _ fill: (UnsafeMutableRawBufferPointer) throws -> Int
    ) throws -> Data {
        try unsafe withUnsafeTemporaryAllocation(byteCount: count, alignment: 8) { buffer in
            defer { unsafe Sodium.wipe(buffer) }
            let written = try unsafe fill(buffer)
            return unsafe Data(UnsafeRawBufferPointer(rebasing: buffer[..<written]))
        }
    }
}
