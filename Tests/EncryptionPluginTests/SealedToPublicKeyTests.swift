import EncryptionPlugin
import Foundation
import Testing
import Transformable

@Suite struct SealedToPublicKeyTests {
    private let reader: SealedTransformer
    private let writer: SealedTransformer
    private let ring: KeyRing
    private let secret = Data("123-45-6789".utf8)

    init() throws {
        ring = try KeyRing.empty.addingKey(named: "clinic").addingKeyPair(named: "inbox")
        reader = SealedTransformer(keys: ring, to: "inbox")
        writer = SealedTransformer(keys: try ring.publicPart(), to: "inbox")
    }

    @Test func writersCannotRead() throws {
        let bytes = try writer.encode(secret, in: .cell)
        #expect(bytes.count == 120 + 32)
        #expect(try reader.decode(bytes, in: .cell) == secret)
        let error = #expect(throws: TransformerError.self) { try writer.decode(bytes, in: .cell) }
        #expect(error?.code == .missingKey)
        #expect(error?.message.contains("only the public key") == true)
        #expect(try !writer.isUnchanged(secret, since: bytes, in: .cell))
        #expect(try reader.isUnchanged(secret, since: bytes, in: .cell))
        #expect(try !reader.isUnchanged(Data(), since: bytes, in: .cell))
    }

    @Test func theBytesDifferEachTime() throws {
        let values = try (0..<200).map { _ in try writer.encode(secret) }
        #expect(Set(values.map { $0[16..<40] }).count == 200)
        #expect(Set(values.map { $0[40..<72] }).count == 200)
        #expect(Set(values.map { $0[72..<104] }).count == 200)
    }

    @Test(arguments: [TransformContext(entity: 1), .none]) func doesNotOpenInAnotherLocation(place: TransformContext)
        throws
    {
        let bytes = try writer.encode(secret, in: .cell)
        expectFailure { try reader.decode(bytes, in: place) }
    }

    @Test func everyFlippedBitAndTruncationFails() throws {
        let bytes = try writer.encode(secret, in: .cell)
        for bit in 0..<bytes.count * 8 {
            var damaged = bytes
            damaged[bit / 8] ^= 1 << UInt8(bit % 8)
            #expect(throws: TransformerError(.afterFlipping(bit, of: bytes), ""), "bit \(bit)") {
                try reader.decode(damaged, in: .cell)
            }
        }
        for count in 0..<bytes.count {
            #expect(throws: TransformerError(.afterTruncating(to: count, toPublicKey: true), ""), "\(count) bytes") {
                try reader.decode(bytes.prefix(count), in: .cell)
            }
        }
    }

    /// Points of low order, for which X25519 gives zero whatever the secret (RFC 7748, section 6.1).
    @Test(arguments: [Data(count: 32), Data([1]) + Data(count: 31)])
    func rejectsASenderThatKnowsTheSecret(sender: Data) throws {
        var bytes = try writer.encode(secret)
        bytes.replaceSubrange(72..<104, with: sender)
        expectFailure { try reader.decode(bytes) }
    }

    /// Otherwise, anyone who has the public key could write values to a column that only key holders write.
    @Test func eachKindRejectsTheOther() throws {
        let ordinary = SealedTransformer(keys: ring)
        let toPublic = try writer.encode(secret)
        let bySecret = try ordinary.encode(secret)
        expectFailure { try ordinary.decode(toPublic) }
        expectFailure { try reader.decode(bySecret) }
    }

    @Test func namesOfTheOtherKindAreNotFound() throws {
        #expect(throws: TransformerError(.missingKey, "")) {
            try SealedTransformer(keys: ring, key: "inbox").encode(secret)
        }
        #expect(throws: TransformerError(.missingKey, "")) {
            try SealedTransformer(keys: ring, to: "clinic").encode(secret)
        }
        #expect(throws: TransformerError(.missingKey, "")) {
            try BlindIndexTransformer<String>(keys: ring, key: "inbox").encode("Ada")
        }
    }

    @Test func keyPairsCanBeRotated() throws {
        let bytes = try writer.encode(secret)
        let new = try ring.rotatingKey(named: "inbox")
        let transformer = SealedTransformer(keys: new, to: "inbox")
        #expect(try transformer.decode(bytes) == secret)
        #expect(try transformer.encode(secret)[8..<16] != bytes[8..<16])
    }

    /// The owner of the pair could not open what a new key of the writer's seals.
    @Test func onlyTheOwnerRotatesAPair() throws {
        let part = try ring.publicPart()
        let error = #expect(throws: TransformerError.self) { try part.rotatingKey(named: "inbox") }
        #expect(error?.code == .missingKey)
        #expect(error?.message.hasPrefix("the key ring has only the public key of “inbox”") == true)
    }

    /// A writer with keys of its own imports them into the new public part.
    @Test func aWriterFollowsARotation() throws {
        let own = try KeyRing.empty.addingKey(named: "own").merging(ring.publicPart())
        let rotated = try ring.rotatingKey(named: "inbox")
        let followed = try rotated.publicPart().importing(own)
        #expect(followed.defaultName == "own")
        let bytes = try SealedTransformer(keys: followed, to: "inbox").encode(secret, in: .cell)
        #expect(KeyID(sealed: bytes) == rotated.generations(of: "inbox").last?.id)
        #expect(try SealedTransformer(keys: rotated, to: "inbox").decode(bytes, in: .cell) == secret)
    }

    @Test func ringsAreReadBackFromTheirFiles() throws {
        let folder = try TemporaryFolder()
        let (whole, part) = (folder.url.appendingPathComponent("a"), folder.url.appendingPathComponent("b"))
        try ring.write(to: whole)
        try ring.publicPart().write(to: part)
        let bytes = try SealedTransformer(keys: KeyRing(contentsOf: part), to: "inbox").encode(secret)
        let read = try KeyRing(contentsOf: whole)
        #expect(try SealedTransformer(keys: read, to: "inbox").decode(bytes) == secret)
        #expect(read.kind(of: "inbox") == .pair && read.kind(of: "clinic") == .secret)
        #expect(read.defaultName == "clinic")
        #expect(try KeyRing(contentsOf: part).generations(of: "inbox").map(\.isPublicOnly) == [true])
        let text = try String(contentsOf: part, encoding: .utf8)
        #expect(!text.contains("tfm-key-") && !text.contains("clinic"))
    }

    @Test func aRingCanAlsoContainSymmetricKeys() throws {
        let own = try KeyRing.empty.addingKey(named: "own").merging(ring.publicPart())
        #expect(own.names == ["own", "inbox"])
        let bytes = try SealedTransformer(keys: own, to: "inbox").encode(secret)
        #expect(try reader.decode(bytes) == secret)
        #expect(throws: TransformerError(.duplicateKey, "")) { try own.merging(own) }
    }

    @Test func aPublicKeyMustMatchItsSecretKey() throws {
        let text = """
            {"transformableKeyRing": 1, "keys": [{"name": "a", "kind": "pair", "generations": [
              {"id": "00000000000000ff", "state": "primary", "created": "2026-01-01T00:00:00Z",
               "public": "\(String(repeating: "01", count: 32))", "secret": "tfm-key-\(String(repeating: "12", count: 32))"}]}]}
            """
        let folder = try TemporaryFolder()
        let url = try folder.write(Data(text.utf8), to: "a.keys")
        #expect(throws: TransformerError(.invalidKeyFile, "")) { try KeyRing(contentsOf: url) }
    }

    @Test(arguments: ["+1", "0g", "0", "010"])
    func aPublicKeyMustConsistOfHexadecimalDigits(digits: String) throws {
        let text = """
            {"transformableKeyRing": 1, "keys": [{"name": "a", "kind": "pair", "generations": [
              {"id": "00000000000000ff", "state": "primary", "created": "2026-01-01T00:00:00Z",
               "public": "\(String(repeating: digits, count: 32))"}]}]}
            """
        let folder = try TemporaryFolder()
        let url = try folder.write(Data(text.utf8), to: "a.keys")
        #expect(throws: TransformerError(.invalidKeyFile, "")) { try KeyRing(contentsOf: url) }
    }

    @Test func expressionsCanNameAPublicKey() throws {
        let registry = try TransformerRegistry { EncryptionPlugin(keys: ring) }
        let resolved = try registry.resolve("sealed(to: inbox)", for: String.self)
        #expect(
            resolved.signature.description == "text/1(encoding: utf-8) | sealed/1(deterministic: false, to: \"inbox\")"
        )
        #expect(throws: TransformerError(.invalidArgument, "")) { try registry.resolve("sealed(key: a, to: b)") }
        #expect(throws: TransformerError(.invalidArgument, "")) {
            try registry.resolve("sealed(to: b, deterministic: true)")
        }
    }
}
