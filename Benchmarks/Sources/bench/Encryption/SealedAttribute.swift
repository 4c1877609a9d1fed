import CPeers
import EncryptionPlugin
import Foundation
import Transformable
import _HostileInputs

/// One attribute with sealed values, for us and for the peer.
struct SealedAttribute {
    let transformer: SealedTransformer
    let peer: SodiumPeer

    private let store: UUID
    private static let entity: UInt32 = 1
    private static let attribute: UInt32 = 3

    init(keys: KeyRing? = nil, store: UUID = UUID()) throws {
        let keys = try keys ?? KeyRing.empty.addingKey()
        self.store = store
        transformer = SealedTransformer(keys: keys)
        peer = try SodiumPeer(
            KeyFile(keys),
            place: withUnsafeBytes(of: store.uuid) { Data($0) } + Self.entity.bytes + Self.attribute.bytes
        )
    }

    func context(_ object: Int64) -> TransformContext {
        TransformContext(store: store, entity: Self.entity, attribute: Self.attribute, object: object)
    }

    /// Each opens what the other sealed, and the lengths agree.
    func check(_ text: Data) throws {
        let ours = try transformer.encode(text, in: context(7))
        guard let theirs = peer.seal(text, object: 7).data else { throw Disagreement(description: "libsodium fails") }
        try Disagreement.unless(ours.count == theirs.count, "lengths of sealed values")
        try Disagreement.unless(peer.open(ours, object: 7).data == text, "sealed values, opened by the peer")
        try Disagreement.unless(try transformer.decode(theirs, in: context(7)) == text, "the peer's sealed values")
    }
}

/// The one secret of a ring, read from its file as any program could read it.
struct KeyFile {
    let id: Data
    let secret: Data

    init(_ keys: KeyRing) throws {
        let url = URL.temporaryDirectory.appending(path: UUID().uuidString)
        try keys.write(to: url)
        defer { try? FileManager.default.removeItem(at: url) }
        let text = try String(contentsOf: url, encoding: .utf8)
        guard let match = text.firstMatch(of: /tfm-key-([0-9a-f]{64})/),
            let id = keys.generations(of: keys.names[0]).first?.id
        else { throw Disagreement(description: "the key file has no secret") }
        secret = Data(hexadecimal: String(match.1))
        self.id = Data(hexadecimal: id.description)
    }
}

extension UInt32 {
    fileprivate var bytes: Data { withUnsafeBytes(of: littleEndian) { Data($0) } }
}

extension Data {
    /// Bytes that are the same in each run.
    static func random(_ count: Int) -> Data {
        var generator = SeededGenerator(seed: UInt64(count))
        return Data((0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) })
    }

    fileprivate init(hexadecimal text: String) {
        self.init(
            stride(from: 0, to: text.utf8.count, by: 2).compactMap { UInt8(text.dropFirst($0).prefix(2), radix: 16) }
        )
    }
}

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
