internal import CBLAKE2
internal import Foundation

/// A blob's checksum in the making: BLAKE2b of 32 bytes, which `b2sum -l 256` computes as well.
///
/// A checksum must find damage, and a file put in another's place by somebody who cannot write the
/// database. CRC does not stop the latter; of the digests that do, this is the fastest in portable C.
struct BlobDigest {
    private var state = tfb_state()

    init() {
        unsafe tfb_begin(&state)
    }

    mutating func add(_ bytes: Data) {
        unsafe bytes.withUnsafeBytes { unsafe tfb_add(&state, $0.baseAddress, $0.count) }
    }

    /// Ends the digest.
    consuming func finish() -> Data {
        var digest = Data(count: Int(TFB_DIGEST_SIZE))
        unsafe digest.withUnsafeMutableBytes { digest in
            guard let base = digest.baseAddress else { return }
            unsafe tfb_end(&state, base)
        }
        return digest
    }
}
