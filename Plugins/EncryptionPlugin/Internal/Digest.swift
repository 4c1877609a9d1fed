internal import Foundation

/// Computes the digest of a value, and provides the memory for it.
func makeDigest(
    of value: Data,
    count: Int,
    _ body: (UnsafeRawBufferPointer, UnsafeMutableRawBufferPointer) throws -> Void
) throws -> Data {
    try unsafe value.withUnsafeBytes { text in
        try unsafe Data.uninitialized(count: count) { output in
            try unsafe body(text, output)
            return count
        }
    }
}
