import CPeers
import EncryptionPlugin
import Foundation
import Transformable

extension Area {
    /// Sealing, compared with plain libsodium producing the same bytes.
    static var encryption: Area {
        Area(
            name: "encryption",
            scenarios: [
                Scenario("seal 1,000 texts of 11 bytes") { try sealers(of: 11, times: 1_000) },
                Scenario("open 1,000 texts of 11 bytes") { try openers(of: 11, times: 1_000) },
                Scenario("seal 1 MB") { try sealers(of: 1_000_000, times: 1) },
                Scenario("open 1 MB") { try openers(of: 1_000_000, times: 1) },
                Scenario("SHA-256 of 1,000 texts of 11 bytes") { try digesters(of: 11, times: 1_000) },
                Scenario("SHA-256 of 1 MB") { try digesters(of: 1_000_000, times: 1) },
            ]
        )
    }

    private static func sealers(of count: Int, times: Int64) throws -> [Contender] {
        let text = Data.random(count)
        let attribute = try SealedAttribute()
        try attribute.check(text)
        return [
            Contender("sealed") {
                for object in 0..<times {
                    consume(try attribute.transformer.encode(text, in: attribute.context(object)))
                }
            },
            Contender("libsodium") {
                for object in 0..<times { consume(attribute.peer.seal(text, object: object).isThere) }
            },
        ]
    }

    private static func openers(of count: Int, times: Int64) throws -> [Contender] {
        let attribute = try SealedAttribute()
        let text = Data.random(count)
        try attribute.check(text)
        let values = try (0..<times).map { try attribute.transformer.encode(text, in: attribute.context($0)) }
        return [
            Contender("sealed") {
                for object in 0..<times {
                    consume(try attribute.transformer.decode(values[Int(object)], in: attribute.context(object)))
                }
            },
            Contender("libsodium") {
                for object in 0..<times { consume(attribute.peer.open(values[Int(object)], object: object).isThere) }
            },
        ]
    }

    private static func digesters(of count: Int, times: Int) throws -> [Contender] {
        let text = Data.random(count)
        let transformer = DigestTransformer(.sha256)
        try Disagreement.unless(transformer.encode(text) == Peer.sha256(text).data, "SHA-256")
        return [
            Contender("sha256") { for _ in 0..<times { consume(try transformer.encode(text)) } },
            Contender("libsodium") { for _ in 0..<times { consume(Peer.sha256(text).isThere) } },
            Contender("libsodium, digest as Data") { for _ in 0..<times { consume(Peer.sha256Data(text)) } },
        ]
    }
}
