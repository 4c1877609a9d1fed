internal import CBLAKE2
internal import Foundation

/// Computes a blob's checksum: a 32-byte BLAKE2b digest, the same as that of `b2sum -l 256`.
///
/// The checksum must detect damage, and also a file that was replaced by someone who cannot write the database. A CRC
/// does not detect the latter. Of the digests that do, this is the fastest in portable C.
struct BlobDigest {
    private var state = tfb_state()

    init() {
        unsafe tfb_begin(&state)
    }

    mutating func add(_ bytes: Data) {
        unsafe bytes.withUnsafeBytes { unsafe tfb_add(&state, $0.baseAddress, $0.count) }
    }

    /// Finishes the digest.
    consuming func finish() -> Data {
        var digest = Data(count: Int(TFB_DIGEST_SIZE))
        unsafe digest.withUnsafeMutableBytes { digest in
            guard let base = digest.baseAddress else { return }
            unsafe tfb_end(&state, base)
        }
        return digest
    }
}
