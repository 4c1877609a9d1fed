import Foundation
import Testing
import Transformable

// Testable: a nonce cannot be stated through the public API, on purpose.
@testable import EncryptionPlugin

/// Bytes that an independent program made from the description alone.
@Suite struct SealedVectorsTests {
    static let cases = (try? TestVectors.load().sealed) ?? []

    @Test func thereAreVectors() throws {
        #expect(try TestVectors.load().sealed.count >= 22)
    }

    @Test(arguments: cases) func opens(vector: TestVectors.Sealed) throws {
        let transformer = try TestVectors.registry().transformer(vector.expression, for: Data.self)
        #expect(try transformer.decode(vector.sealed.bytes, in: vector.place.context) == vector.plaintext.bytes)
    }

    @Test(arguments: cases.filter { $0.deterministic && $0.isPrimary })
    func sealsDeterministically(vector: TestVectors.Sealed) throws {
        let transformer = try TestVectors.registry().transformer(vector.expression, for: Data.self)
        #expect(try transformer.encode(vector.plaintext.bytes, in: vector.place.context) == vector.sealed.bytes)
    }

    @Test(arguments: cases.filter { !$0.deterministic && $0.isPrimary })
    func sealsWithTheNonceOfTheVector(vector: TestVectors.Sealed) throws {
        let ring = try TestVectors.ring()
        let padding = try #require(SealedPadding(rawValue: vector.padding))
        let transformer = SealedTransformer(keys: ring, key: vector.key, padding: padding)
        let sealed = try transformer.seal(
            vector.plaintext.bytes,
            under: ring.primary(named: vector.key).generation.id,
            SealedBinding(vector.place.context, includingObject: true),
            nonce: .fixed(Array(vector.nonce.bytes))
        )
        #expect(sealed == vector.sealed.bytes)
    }

    @Test(arguments: try TestVectors.load().sealedToPublicKey)
    func opensAndSealsToAPublicKey(vector: TestVectors.ToPublicKey) throws {
        let ring = try TestVectors.ring()
        let padding = try #require(SealedPadding(rawValue: vector.padding))
        let transformer = SealedTransformer(keys: ring, to: "inbox", padding: padding)
        #expect(try transformer.decode(vector.sealed.bytes, in: vector.place.context) == vector.plaintext.bytes)
        let sealed = try transformer.seal(
            vector.plaintext.bytes,
            to: ring.primary(.pair, named: "inbox"),
            SealedBinding(vector.place.context, includingObject: true),
            sender: SecureBytes(count: 32) { vector.sender.bytes.copyBytes(to: $0) },
            nonce: .fixed(Array(vector.nonce.bytes))
        )
        #expect(sealed == vector.sealed.bytes)
    }

    @Test(arguments: cases.prefix(4)) func opensInASlice(vector: TestVectors.Sealed) throws {
        let transformer = try TestVectors.registry().transformer(vector.expression, for: Data.self)
        let slice = (Data([1, 2, 3]) + vector.sealed.bytes).dropFirst(3)
        #expect(try transformer.decode(slice, in: vector.place.context) == vector.plaintext.bytes)
    }
}
