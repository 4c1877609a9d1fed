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
