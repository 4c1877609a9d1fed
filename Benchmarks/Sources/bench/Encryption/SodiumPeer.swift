import CPeers
import Foundation

/// The sealed format in plain libsodium.
struct SodiumPeer {
    private(set) var sealing = peers_sealing()

    init(_ file: KeyFile, place: Data) throws {
        let code = peers_derive(&sealing, Array(file.secret), Array(file.id), Array(place))
        guard code == 0 else { throw Disagreement(description: "libsodium derives no key") }
    }

    func seal(_ text: Data, object: Int64) -> PeerBytes {
        PeerBytes { count in
            withUnsafePointer(to: sealing) { sealing in
                text.withUnsafeBytes { peers_seal(sealing, object, $0.baseAddress, $0.count, &count) }
            }
        }
    }

    func open(_ sealed: Data, object: Int64) -> PeerBytes {
        PeerBytes { count in
            withUnsafePointer(to: sealing) { sealing in
                sealed.withUnsafeBytes { peers_open(sealing, object, $0.baseAddress, $0.count, &count) }
            }
        }
    }
}
