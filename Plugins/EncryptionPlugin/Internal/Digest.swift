internal import Foundation

/// Computes the digest of a value, and provides the memory for it.
func makeDigest(
    of value: Data,
    count: Int,
    _ body: (UnsafeRawBufferPointer, UnsafeMutableRawBufferPointer) throws -> Void
) throws -> Data {
    var output = Data(count: count)
    try unsafe value.withUnsafeBytes { text in
        try unsafe output.withUnsafeMutableBytes { try unsafe body(text, $0) }
    }
    return output
}
