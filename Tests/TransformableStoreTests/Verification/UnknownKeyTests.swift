import EncryptionPlugin
import Foundation
import StandardPlugin
import Testing
import Transformable
import TransformableStore

/// The verification of values whose keys are not in the key ring, although the key of the store's seal is.
@Suite(.eachEngine)
struct UnknownKeyTests {
    private let folder: Folder
    private let ring: KeyRing

    init() throws {
        folder = try Folder()
        ring = try KeyRing.empty.addingKey()
    }

    private func open(_ expression: String, _ ring: KeyRing, _ options: Store.Options = .mustExist) throws -> Store {
        let text = AttributeDescription.transformed("text", expression, as: String.self, .optional)
        let model = try Model(entities: [EntityDescription("Note", attributes: [text])])
        let registry = try TransformerRegistry {
            StandardPlugin()
            EncryptionPlugin(keys: ring)
        }
        return try Store.trial(at: folder.file(), model: model, transformers: registry, options: options)
    }

    /// Creates a store, writes two notes with other keys, and verifies them with the first keys.
    private func verify(_ expression: String, writtenWith other: KeyRing, _ reader: KeyRing) throws -> Verification {
        try open(expression, ring, .createIfMissing).close()
        let writer = try open(expression, other)
        try writer.addNotes(["a", "b"])
        try writer.close()
        let store = try open(expression, reader, .readOnly)
        #expect(store.isAuthenticated)
        return try store.verify()
    }

    @Test func aKeyThatTheProgramDoesNotHaveIsNoFault() throws {
        let other = try ring.addingKey(named: "notes")
        let key = try #require(other.generations(of: "notes").last?.id)
        let found = try verify("text | sealed(key: \"notes\")", writtenWith: other, ring)
        #expect(found.isSound)
        #expect(found.unreadable.map(\.count) == [2])
        #expect(found.unreadable.map(\.keys) == [["\(key)"]])
        #expect(found.unreadable.map(\.objects) == [[1, 2]])
    }

    @Test func aPublicKeyIsNoFault() throws {
        let other = try ring.addingKeyPair(named: "inbox")
        let reader = try ring.merging(other.publicPart())
        let found = try verify("text | sealed(to: \"inbox\")", writtenWith: other, reader)
        #expect(found.isSound)
        #expect(found.unreadable.map(\.count) == [2])
    }

    @Test(arguments: ["text | sealed", "text | sealed(deterministic: true)"])
    func anUnknownKeyIsAFaultIfTheProgramHasTheKeyOfTheAttribute(expression: String) throws {
        let found = try verify(expression, writtenWith: ring.rotatingKey(), ring)
        #expect(found.faults.map(\.code) == [.undecodable, .undecodable])
        #expect(found.faults.map { $0.object?.number } == [1, 2])
        #expect(found.faults.allSatisfy { $0.transformerError?.code == .missingKey })
        let causes = "either the key ring is outdated, or the value was changed"
        #expect(found.faults.allSatisfy { $0.message.contains(causes) })
        #expect(found.unreadable.isEmpty)
    }

    @Test func aRetiredKeyIsAFault() throws {
        let rotated = try ring.rotatingKey()
        let key = try #require(rotated.generations(of: "default").last?.id)
        let reader = try rotated.rotatingKey().retiringUnchecked(key)
        let found = try verify("text | sealed", writtenWith: rotated, reader)
        #expect(found.faults.map { $0.transformerError?.code } == [.retiredKey, .retiredKey])
    }
}
