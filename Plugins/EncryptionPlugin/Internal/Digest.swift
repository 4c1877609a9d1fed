internal import Foundation

/// Computes the digest of a value, and provides the memory for it.
///
/// The memory is on the stack, and copied at the end. Writing to a `Data` in place costs more than a short digest.
func makeDigest(
    of value: Data,
    count: Int,
    _ body: (UnsafeRawBufferPointer, UnsafeMutableRawBufferPointer) throws -> Void
) throws -> Data {
    try unsafe value.withUnsafeBytes { text in
        try unsafe withUnsafeTemporaryAllocation(byteCount: count, alignment: 1) { output in
            unsafe output.initializeMemory(as: UInt8.self, repeating: 0)
            try unsafe body(text, output)
            return unsafe Data(UnsafeRawBufferPointer(output))
        }
    }
}
