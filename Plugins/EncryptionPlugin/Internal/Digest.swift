internal import Foundation

/// Makes the digest of a value: lends its bytes, and memory for the digest.
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
