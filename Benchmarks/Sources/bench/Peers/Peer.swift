import CPeers
import Foundation

/// Calls of the peers in C.
enum Peer {
    static func sha256(_ bytes: Data) -> PeerBytes {
        PeerBytes { count in
            count = 32
            return bytes.withUnsafeBytes { peers_sha256($0.baseAddress, $0.count) }
        }
    }

    /// The least that a digest costs if the result is `Data`.
    static func sha256Data(_ bytes: Data) -> Data {
        withUnsafeTemporaryAllocation(byteCount: 32, alignment: 8) { digest in
            bytes.withUnsafeBytes { peers_sha256_into(digest.baseAddress, $0.baseAddress, $0.count) }
            return Data(digest)
        }
    }

    static func gzip(_ bytes: Data, level: Int) -> PeerBytes {
        PeerBytes { count in
            bytes.withUnsafeBytes { peers_gzip($0.baseAddress, $0.count, Int32(level), &count) }
        }
    }

    static func gunzip(_ gzip: Data, size: Int) -> PeerBytes {
        PeerBytes { count in
            count = size
            return gzip.withUnsafeBytes { gzip in gzip.baseAddress.flatMap { peers_gunzip($0, gzip.count, size) } }
        }
    }
}

/// Bytes that a peer in C allocated; freed at the end, and copied only where they are checked.
struct PeerBytes: ~Copyable {
    private let start: UnsafeMutableRawPointer?
    private let count: Int

    /// Takes ownership of a peer's result.
    ///
    /// - Parameter body: Calls the peer, and notes how many bytes there are.
    init(_ body: (_ count: inout Int) -> UnsafeMutableRawPointer?) {
        var count = 0
        start = body(&count)
        self.count = count
    }

    deinit {
        free(start)
    }

    /// A copy of the bytes; nil if the peer failed.
    var data: Data? { start.map { Data(bytes: $0, count: count) } }

    /// Whether the peer succeeded.
    var isThere: Bool { start != nil }
}
