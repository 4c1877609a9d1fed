import EncryptionPlugin
import Foundation
import Testing
import Transformable

/// Keys that others have too.
@Suite struct SharedKeyTests {
    private let partner: KeyRing
    private let ring: KeyRing
    private let store = UUID()

    init() throws {
        partner = try KeyRing.empty.addingKey(named: "partner")
        ring = try KeyRing.empty.addingKey(named: "clinic").importing(partner, shared: true)
    }

    private func key(_ name: String, of ring: KeyRing) throws -> String {
        "\(try #require(ring.generations(of: name).last).id)"
    }

    private func sealer(_ ring: KeyRing) throws -> any StoreSealer {
        try #require(EncryptionPlugin(keys: ring).sealer)
    }

    @Test func aSharedKeySealsAndOpensValues() throws {
        let sealed = try SealedTransformer(keys: ring, key: "partner").encode(Data("letter".utf8))
        #expect(try SealedTransformer(keys: partner).decode(sealed) == Data("letter".utf8))
        let answer = try SealedTransformer(keys: partner).encode(Data("answer".utf8))
        #expect(try SealedTransformer(keys: ring).decode(answer) == Data("answer".utf8))
    }

    @Test func aSharedKeyAuthenticatesNothing() throws {
        let (sealer, shared) = (try sealer(ring), try key("partner", of: ring))
        #expect(throws: TransformerError(.sharedKey, "")) { try sealer.tag(of: Data(), for: store, under: shared) }
        #expect(throws: TransformerError(.sharedKey, "")) {
            try sealer.rowSealer(for: store, entity: 1, under: shared)
        }
        let own = try key("clinic", of: ring)
        #expect(try sealer.sealingKey(succeeding: shared) == own)
        #expect(try sealer.tag(of: Data(), for: store, under: own).count == 32)
    }

    @Test func aFileKeepsTheMark() throws {
        let folder = try TemporaryFolder()
        let file = folder.url.appending(path: "clinic.keys")
        try ring.rotatingKey(named: "partner").write(to: file)
        let read = try KeyRing(contentsOf: file)
        #expect(read.isShared("partner") && !read.isShared("clinic"))
        let text = try String(contentsOf: file, encoding: .utf8)
        #expect(text.contains("\"shared\" : true"))
        let inspection = try #require(try EncryptionPlugin().inspectors.last?.inspect(Data(text.utf8)))
        #expect(inspection.facts.count { $0.value.hasSuffix(", shared") } == 2)
    }

    @Test func aKeyBecomesSharedWhenItIsImportedAgain() throws {
        let former = try KeyRing.empty.addingKey(named: "clinic").importing(partner)
        #expect(!former.isShared("partner"))
        #expect(try former.importing(partner, shared: true).isShared("partner"))
        // Importing a copy of the file without the mark does not remove it.
        #expect(try ring.importing(partner).isShared("partner"))
        #expect(try KeyRing.empty.addingKey(named: "lab").importing(ring).isShared("partner"))
        // A backup from before the key was marked, and the current ring.
        #expect(try former.importing(ring).isShared("partner"))
    }

    /// Otherwise, the stores that it has sealed would be refused.
    @Test func aDifferentKeyDoesNotBecomeSharedBecauseOfItsName() throws {
        let own = try KeyRing.empty.addingKey(named: "clinic").addingKey(named: "partner")
        let error = #expect(throws: TransformerError(.invalidArgument, "")) {
            try own.importing(partner, shared: true)
        }
        #expect(error?.message.hasPrefix("the ring has a different key named “partner”") == true)
        #expect(throws: TransformerError(.invalidArgument, "")) { try own.importing(ring) }
        #expect(try !own.importing(partner).isShared("partner"))
        // The partner's other key with this name is shared, too.
        let other = try KeyRing.empty.addingKey(named: "partner")
        #expect(try ring.importing(other, shared: true).generations(of: "partner").count == 2)
    }

    @Test func aSharedKeyDoesNotBecomeTheDefaultKeyAgain() throws {
        let only = try KeyRing.empty.importing(partner, shared: true)
        #expect(try only.importing(partner).defaultName == nil)
        #expect(try only.importing(partner.addingKey(named: "lab")).defaultName == "lab")
        #expect(throws: TransformerError(.invalidArgument, "")) { try partner.importing(ring) }
    }

    @Test func theDefaultKeyIsNotShared() throws {
        #expect(throws: TransformerError(.invalidArgument, "")) { try partner.importing(partner, shared: true) }
        let only = try KeyRing.empty.importing(partner, shared: true)
        #expect(only.defaultName == nil)
        #expect(try !sealer(only).canSeal)
        let error = #expect(throws: TransformerError(.missingKey, "")) {
            try SealedTransformer(keys: only).encode(Data())
        }
        #expect(error?.message.contains("has no symmetric key that is not shared") == true)
        #expect(try only.addingKey(named: "clinic").defaultName == "clinic")
    }

    @Test func pairsAreNotMarked() throws {
        let pair = try KeyRing.empty.addingKeyPair(named: "inbox")
        #expect(try !ring.importing(pair.publicPart(), shared: true).isShared("inbox"))
    }

    @Test func aFileWhoseDefaultKeyIsSharedIsRejected() throws {
        let folder = try TemporaryFolder()
        let file = folder.url.appending(path: "clinic.keys")
        try ring.write(to: file)
        let text = try String(contentsOf: file, encoding: .utf8)
        try Data(text.replacing("\"default\" : \"clinic\"", with: "\"default\" : \"partner\"").utf8).write(to: file)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file.path)
        #expect(throws: TransformerError(.invalidKeyFile, "")) { try KeyRing(contentsOf: file) }
    }
}
