import Foundation
import Testing
import Transformable

// Testable: a nonce cannot be stated through the public API, on purpose.
@testable import EncryptionPlugin

/// Values that belong to tenants, as an independent program made them from the description alone.
@Suite struct SealedTenantTests {
    struct Fixture: Decodable {
        let plaintext: Hexadecimal
        let indexed: String
        let cases: [Case]
    }

    struct Case: Decodable, CustomTestStringConvertible {
        let tenant: Int64
        let nonce: Hexadecimal
        let sender: Hexadecimal
        let ordinary: Hexadecimal
        let deterministic: Hexadecimal
        let toPublicKey: Hexadecimal
        let chunked: Hexadecimal
        let blindIndex: Int64
        let hmacSHA256: Hexadecimal
        let hmacSHA512: Hexadecimal

        var testDescription: String { "tenant \(tenant)" }

        var place: TransformContext {
            var place = TransformContext.cell
            place.tenant = tenant
            return place
        }

        func sealed(_ kind: Kind) -> Data {
            switch kind {
            case .ordinary: ordinary.bytes
            case .deterministic: deterministic.bytes
            case .toPublicKey: toPublicKey.bytes
            case .chunked: chunked.bytes
            }
        }
    }

    enum Kind: CaseIterable {
        case ordinary
        case deterministic
        case toPublicKey
        case chunked

        func transformer(_ ring: KeyRing) -> SealedTransformer {
            switch self {
            case .ordinary, .chunked: SealedTransformer(keys: ring, key: "clinic")
            case .deterministic: SealedTransformer(keys: ring, key: "clinic", deterministic: true)
            case .toPublicKey: SealedTransformer(keys: ring, to: "inbox")
            }
        }
    }

    static let fixture = try? load()
    static let cases = fixture?.cases ?? []

    static func load() throws -> Fixture {
        let url = TestVectors.url.deletingLastPathComponent().appendingPathComponent("tenants.json")
        return try JSONDecoder().decode(Fixture.self, from: Data(contentsOf: url))
    }

    private let ring: KeyRing
    private let plaintext: Data

    init() throws {
        ring = try TestVectors.ring()
        plaintext = try Self.load().plaintext.bytes
    }

    @Test func thereAreVectors() {
        #expect(Self.cases.count == 4)
    }

    @Test(arguments: cases, Kind.allCases) func opensForItsTenant(vector: Case, kind: Kind) throws {
        #expect(try kind.transformer(ring).decode(vector.sealed(kind), in: vector.place) == plaintext)
    }

    /// Each vector with a tenant that it does not belong to, or none.
    static let strangers: [(vector: Case, tenant: Int64?)] = cases.flatMap { vector in
        ([nil, 2, vector.tenant ^ 1, vector.tenant ^ .min] as [Int64?]).map { (vector: vector, tenant: $0) }
    }

    @Test(arguments: strangers, Kind.allCases)
    func doesNotOpenForAnotherTenantOrNone(stranger: (vector: Case, tenant: Int64?), kind: Kind) throws {
        var place = stranger.vector.place
        place.tenant = stranger.tenant
        #expect(throws: TransformerError(.authenticationFailed, "")) {
            try kind.transformer(ring).decode(stranger.vector.sealed(kind), in: place)
        }
    }

    /// Each vector in its own place, and in that of no tenant.
    static let places: [(vector: Case, place: TransformContext)] = cases.flatMap { vector in
        [vector.place, .cell].map { (vector: vector, place: $0) }
    }

    @Test(arguments: places, Kind.allCases)
    func doesNotOpenIfTheTenantIsErased(value: (vector: Case, place: TransformContext), kind: Kind) throws {
        var erased = value.vector.sealed(kind)
        erased[7] &= 0b1111
        #expect(throws: TransformerError(.authenticationFailed, "")) {
            try kind.transformer(ring).decode(erased, in: value.place)
        }
    }

    @Test(arguments: [Kind.ordinary, .deterministic, .toPublicKey])
    func valueOfNoTenantDoesNotOpenForATenant(kind: Kind) throws {
        let sealed = try kind.transformer(ring).encode(plaintext, in: .cell)
        #expect(throws: TransformerError(.authenticationFailed, "")) {
            try kind.transformer(ring).decode(sealed, in: Case.place(of: 0))
        }
    }

    @Test(arguments: cases) func sealsWithTheNonceOfTheVector(vector: Case) throws {
        let sealed = try SealedTransformer(keys: ring, key: "clinic")
            .seal(
                plaintext,
                under: ring.primary(named: "clinic").generation.id,
                SealedBinding(vector.place, includingObject: true),
                nonce: .fixed(Array(vector.nonce.bytes))
            )
        #expect(sealed == vector.ordinary.bytes)
    }

    @Test(arguments: cases) func sealsDeterministically(vector: Case) throws {
        let transformer = Kind.deterministic.transformer(ring)
        #expect(try transformer.encode(plaintext, in: vector.place) == vector.deterministic.bytes)
    }

    @Test(arguments: cases) func sealsToAPublicKey(vector: Case) throws {
        let sealed = try SealedTransformer(keys: ring, to: "inbox")
            .seal(
                plaintext,
                to: ring.primary(.pair, named: "inbox"),
                SealedBinding(vector.place, includingObject: true),
                sender: SecureBytes(count: 32) { vector.sender.bytes.copyBytes(to: $0) },
                nonce: .fixed(Array(vector.nonce.bytes))
            )
        #expect(sealed == vector.toPublicKey.bytes)
    }

    @Test(arguments: cases) func sealsInChunks(vector: Case) throws {
        let transformer = SealedTransformer(keys: ring, key: "clinic")
        var stream = try transformer.sealingStream(in: vector.place)
        let sealed = try stream.seal(plaintext) + stream.finish()
        #expect(sealed[7] == 0b11111)
        #expect(try transformer.decode(sealed, in: vector.place) == plaintext)
    }

    @Test(arguments: cases) func indexesDependOnTheTenant(vector: Case) throws {
        let indexed = try Self.load().indexed
        let index = BlindIndexTransformer<String>(keys: ring, key: "clinic", bits: 32)
        #expect(try index.encode(indexed, in: vector.place) == vector.blindIndex)
        #expect(try index.candidates(for: indexed, in: vector.place).contains(vector.blindIndex))
        #expect(try index.encode(indexed, in: .cell) != vector.blindIndex)
    }

    @Test(arguments: cases) func digestsDependOnTheTenant(vector: Case) throws {
        let bytes = Data(try Self.load().indexed.utf8)
        let expected = [(DigestAlgorithm.sha256, vector.hmacSHA256.bytes), (.sha512, vector.hmacSHA512.bytes)]
        for (algorithm, digest) in expected {
            let transformer = HMACTransformer(algorithm, keys: ring, key: "clinic")
            #expect(try transformer.encode(bytes, in: vector.place) == digest)
            #expect(try transformer.encode(bytes, in: TransformContext(tenant: vector.tenant)) == digest)
            #expect(try transformer.candidates(for: bytes, in: vector.place).contains(digest))
            #expect(try transformer.encode(bytes, in: .cell) != digest)
        }
    }

    @Test func inspectionNamesTheTenant() throws {
        let sealed = try #require(Self.cases.first).ordinary.bytes
        let inspector = try #require(TestVectors.registry().inspectors.first)
        let facts = try #require(try inspector.inspect(sealed)).facts
        #expect(facts.contains(.init("bound to", "store, entity, attribute, object, tenant")))
    }
}

extension SealedTenantTests.Case {
    fileprivate static func place(of tenant: Int64) -> TransformContext {
        var place = TransformContext.cell
        place.tenant = tenant
        return place
    }
}
