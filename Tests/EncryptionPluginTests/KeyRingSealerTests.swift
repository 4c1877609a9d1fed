import EncryptionPlugin
import Foundation
import Testing
import Transformable

/// The seals that the plugin's keys make of stores.
@Suite struct KeyRingSealerTests {
    private static let store = UUID(uuidString: "6f9619ff-8b86-d011-b42d-00cf4fc964ff")

    private func sealer(_ ring: KeyRing) throws -> any StoreSealer {
        try #require(EncryptionPlugin(keys: ring).sealer)
    }

    // Of the article on the sealed format; both were made by `Vectors/seal.py example`.
    @Test func computesTheTagInTheArticle() throws {
        let message = """
            7472616e73666f726d61626c652073746f7265207365616c2031010100000000000000030600000000000000656e74697479010100000000\
            000000010300000000000000030700000000000000\
            50617469656e740304000000000000006c697665
            """
        let tag = "33144ce074b198b04764f0925bd6508b74832fa70c8d641d9b30241362ca81e9"
        let store = try #require(Self.store)
        let bytes = try #require(Data(hexadecimal: message))
        let sealer = try sealer(TestVectors.ring())
        let made = try sealer.tag(of: bytes, for: store, under: "d3c6ea7378ed9ec6")
        #expect(made == Data(hexadecimal: tag))
        #expect(try sealer.isTag(made, of: bytes, for: store, under: "d3c6ea7378ed9ec6"))
        #expect(try !sealer.isTag(made.dropLast(), of: bytes, for: store, under: "d3c6ea7378ed9ec6"))
        #expect(try !sealer.isTag(made, of: bytes + [0], for: store, under: "d3c6ea7378ed9ec6"))
        #expect(try !sealer.isTag(made, of: bytes, for: UUID(), under: "d3c6ea7378ed9ec6"))
    }

    // Of the same article; both were made by `Vectors/rows.py example`.
    @Test func computesTheTagOfARow() throws {
        let message = """
            7472616e73666f726d61626c6520726f77203101050000000000000001020000000000000004000000060000000303000000000000004164\
            610700000005070000000102010000000000000800000002000000000000f83f
            """
        let tag = try #require(Data(hexadecimal: "ae0d901b09e6c852d485f4976dd8fcf6"))
        let store = try #require(Self.store)
        let bytes = try #require(Data(hexadecimal: message))
        let sealer = try sealer(TestVectors.ring())
        let rows = try sealer.rowSealer(for: store, entity: 3, under: "d3c6ea7378ed9ec6")
        #expect(try bytes.withUnsafeBytes { try rows.tag(of: $0) } == tag)
        let isTag = { (tag: Data, rows: any RowSealer) in
            try tag.withUnsafeBytes { tag in try bytes.withUnsafeBytes { try rows.isTag(tag, of: $0) } }
        }
        #expect(try isTag(tag, rows))
        #expect(try !isTag(tag.dropLast(), rows))
        #expect(try !isTag(tag, sealer.rowSealer(for: store, entity: 4, under: "d3c6ea7378ed9ec6")))
        #expect(throws: TransformerError(.missingKey, "")) {
            try sealer.rowSealer(for: store, entity: 3, under: "0000000000000000")
        }
    }

    @Test func sealsWithThePrimaryKeyThatSucceedsTheFormerOne() throws {
        let ring = try KeyRing.empty.addingKey(named: "a").addingKey(named: "b")
        let first = try #require(ring.generations(of: "b").first).id
        let rotated = try ring.rotatingKey(named: "b")
        let second = try #require(rotated.generations(of: "b").last).id
        #expect(try sealer(rotated).sealingKey(succeeding: "\(first)") == "\(second)")
        let initial = try #require(ring.generations(of: "a").first).id
        #expect(try sealer(rotated).sealingKey(succeeding: nil) == "\(initial)")
        #expect(try sealer(rotated).sealingKey(succeeding: "0000000000000000") == "\(initial)")
    }

    @Test(arguments: [nil, "0000000000000000", "no id\n"] as [String?])
    func rejectsKeysThatAreNotInUse(key: String?) throws {
        let ring = try KeyRing.empty.addingKey(named: "a")
        let retired = try #require(ring.generations(of: "a").first).id
        let sealer = try sealer(ring.rotatingKey(named: "a").retiringUnchecked(retired))
        let store = try #require(Self.store)
        #expect(throws: TransformerError(key == nil ? .retiredKey : .missingKey, "")) {
            try sealer.tag(of: Data(), for: store, under: key ?? "\(retired)")
        }
    }

    @Test func reportsWhichKeysExist() throws {
        #expect(try !sealer(.empty).hasKeys)
        let pair = try KeyRing.empty.addingKeyPair(named: "inbox")
        #expect(try sealer(pair.publicPart()).hasKeys)
        #expect(try !sealer(pair.publicPart()).canSeal)
        #expect(try sealer(pair.addingKey()).canSeal)
        #expect(try TransformerRegistry { EncryptionPlugin() }.sealer == nil)
    }
}

extension Data {
    fileprivate init?(hexadecimal text: String) {
        let digits = Array(text)
        let bytes = stride(from: 0, to: digits.count, by: 2).map { UInt8(String(digits[$0...($0 + 1)]), radix: 16) }
        guard !bytes.contains(nil) else { return nil }
        self.init(bytes.compactMap(\.self))
    }
}
