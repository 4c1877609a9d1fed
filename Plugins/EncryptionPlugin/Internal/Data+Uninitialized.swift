internal import Foundation
internal import Transformable

#if canImport(Glibc)
internal import Glibc
#else
internal import Musl
#endif

extension Data {
    /// Makes bytes in memory that is not cleared first, which for a megabyte is a fortieth of sealing it.
    ///
    /// - Parameters:
    ///   - count: How many bytes there is room for.
    ///   - fill: Writes them, and says how many it wrote.
    /// - Returns: The bytes.
    /// - Throws: What `fill` throws.
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

    // Up to here a copy costs less than the object that owns memory for a value.
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
