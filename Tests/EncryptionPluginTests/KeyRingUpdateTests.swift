import EncryptionPlugin
import Foundation
import Testing
import Transformable

struct KeyRingUpdateTests {
    private let folder: TemporaryFolder
    private let file: URL

    init() throws {
        folder = try TemporaryFolder()
        file = folder.url.appending(path: "clinic.keys")
        try KeyRing.empty.addingKey(named: "clinic").write(to: file)
    }

    private struct GivenUp: Error {}

    private func passphrase(_ text: String) throws -> SecureBytes {
        let bytes = Data(text.utf8)
        return try SecureBytes(count: bytes.count) { _ = bytes.copyBytes(to: $0) }
    }

    /// What protects the file, as its JSON says.
    private func protection() throws -> [String: Any]? {
        let json = try JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [String: Any]
        return json?["protection"] as? [String: Any]
    }

    private func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted()
    }

    @Test func concurrentUpdatesLoseNoKey() async throws {
        let file = file
        let made = try await withThrowingTaskGroup(of: KeyID?.self) { group in
            for _ in 0..<40 {
                group.addTask {
                    let ring = try KeyRing.update(at: file) { try $0.rotatingKey(named: "clinic") }
                    return ring.generations(of: "clinic").last?.id
                }
            }
            return try await group.reduce(into: Set<KeyID>()) { if let id = $1 { $0.insert(id) } }
        }
        let kept = Set(try KeyRing(contentsOf: file).generations(of: "clinic").map(\.id))
        #expect(made.count == 40)
        #expect(made.isSubset(of: kept))
        #expect(kept.count == 41)
        #expect(try names() == ["clinic.keys"])
    }

    @Test func leavesTheFileUnchangedIfTheChangeFails() throws {
        let before = try Data(contentsOf: file)
        #expect(throws: GivenUp.self) { try KeyRing.update(at: file) { _ in throw GivenUp() } }
        #expect(try Data(contentsOf: file) == before)
        try KeyRing.update(at: file) { try $0.rotatingKey() }
        #expect(try KeyRing(contentsOf: file).generations(of: "clinic").count == 2)
    }

    /// Opened for writing too, a pipe has no end.
    @Test(.timeLimit(.minutes(1))) func rejectsAPipe() throws {
        let pipe = folder.url.appending(path: "pipe.keys")
        try #require(mkfifo(pipe.path, 0o600) == 0)
        #expect(throws: TransformerError(.refusedKeyFile, "")) {
            try KeyRing.update(at: pipe) { try $0.rotatingKey() }
        }
        #expect(throws: TransformerError(.refusedKeyFile, "")) {
            try KeyRing.changePassphrase(at: pipe, from: nil, to: passphrase("horse"))
        }
    }

    /// A combining mark after the slash belongs to the name.
    @Test func writesToFoldersWithUnusualNames() throws {
        let odd = folder.url.appending(path: "\u{301}x.keys")
        try Data("x".utf8).write(to: folder.url.appending(path: "\u{301}x.keys.00112233aabbccdd.tmp"))
        try KeyRing.empty.addingKey(named: "clinic").write(to: odd)
        #expect(try names().map { Array($0.unicodeScalars) }.contains(Array("\u{301}x.keys".unicodeScalars)))
        #expect(try names().count == 2)
    }

    @Test func keepsASymbolicLink() throws {
        let link = folder.url.appending(path: "link.keys")
        try FileManager.default.createSymbolicLink(atPath: link.path, withDestinationPath: "clinic.keys")
        try KeyRing.update(at: link) { try $0.addingKey(named: "billing") }
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link.path) == "clinic.keys")
        #expect(try KeyRing(contentsOf: file).names == ["clinic", "billing"])
    }

    @Test func replacingKeepsASymbolicLink() throws {
        let link = folder.url.appending(path: "link.keys")
        try FileManager.default.createSymbolicLink(atPath: link.path, withDestinationPath: "clinic.keys")
        try KeyRing.empty.addingKey(named: "other").write(to: link, replacing: true)
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link.path) == "clinic.keys")
        #expect(try KeyRing(contentsOf: file).names == ["other"])
        // What must not be there yet is not written through a link either.
        let dangling = folder.url.appending(path: "dangling.keys")
        try FileManager.default.createSymbolicLink(atPath: dangling.path, withDestinationPath: "none.keys")
        #expect(throws: TransformerError(.unreadableKeyFile, "")) { try KeyRing.empty.write(to: dangling) }
        #expect(try names() == ["clinic.keys", "dangling.keys", "link.keys"])
    }

    @Test func keepsThePassphraseAndItsCost() throws {
        let horse = try passphrase("horse")
        let cost = PassphraseCost(operations: 2, memory: 16 << 10)
        try KeyRing(contentsOf: file).write(to: file, passphrase: horse, cost: cost, replacing: true)
        let salt = try protection()?["salt"] as? String
        try KeyRing.update(at: file, passphrase: horse) { try $0.rotatingKey() }
        #expect(try protection()?["operations"] as? Int == 2)
        #expect(try protection()?["memory"] as? Int == 16 << 10)
        #expect(try protection()?["salt"] as? String != salt)
        #expect(try KeyRing(contentsOf: file, passphrase: horse).generations(of: "clinic").count == 2)
    }

    @Test func aPassphraseDoesNotChangeAnUnprotectedFile() throws {
        let (before, horse) = try (Data(contentsOf: file), passphrase("horse"))
        #expect(throws: TransformerError(.wrongPassphrase, "")) {
            try KeyRing.update(at: file, passphrase: horse) { try $0.rotatingKey() }
        }
        #expect(throws: TransformerError(.wrongPassphrase, "")) {
            try KeyRing.changePassphrase(at: file, from: horse, to: nil)
        }
        #expect(try Data(contentsOf: file) == before)
    }

    @Test func changesSetsAndRemovesThePassphrase() throws {
        let cheap = PassphraseCost(operations: 1, memory: 8 << 10)
        let (horse, staple) = try (passphrase("horse"), passphrase("staple"))
        let generations = try KeyRing(contentsOf: file).generations(of: "clinic")
        try KeyRing.changePassphrase(at: file, from: nil, to: horse, cost: cheap)
        #expect(throws: TransformerError(.wrongPassphrase, "")) {
            try KeyRing.changePassphrase(at: file, from: staple, to: nil)
        }
        try KeyRing.changePassphrase(at: file, from: horse, to: staple)
        #expect(try protection()?["memory"] as? Int == 8 << 10)
        #expect(try KeyRing(contentsOf: file, passphrase: staple).generations(of: "clinic") == generations)
        try KeyRing.changePassphrase(at: file, from: staple, to: nil)
        #expect(try KeyRing(contentsOf: file).generations(of: "clinic") == generations)
    }

    @Test func updatesAFileThatAProviderProtects() async throws {
        let provider = try InMemoryKeyProvider()
        try await KeyRing(contentsOf: file).write(to: file, provider: provider, replacing: true)
        try await KeyRing.update(at: file, provider: provider) { try $0.rotatingKey() }
        #expect(try await KeyRing(contentsOf: file, provider: provider).generations(of: "clinic").count == 2)
    }

    @Test func anUpdateWithAProviderLeavesAFileUnprotected() async throws {
        try await KeyRing.update(at: file, provider: InMemoryKeyProvider()) { try $0.rotatingKey() }
        #expect(try KeyRing(contentsOf: file).generations(of: "clinic").count == 2)
    }

    @Test func removesTheLeftoversOfAKilledWriter() throws {
        let abandoned = folder.url.appending(path: "clinic.keys.00112233aabbccdd.tmp")
        let others = ["clinic.keys.tmp", "clinic.keys.00112233aabbccdd.tmp.old", "other.keys.00112233aabbccdd.tmp"]
        for name in others { try Data("x".utf8).write(to: folder.url.appending(path: name)) }
        try Data("x".utf8).write(to: abandoned)
        try KeyRing.update(at: file) { try $0.rotatingKey() }
        #expect(try names() == (others + ["clinic.keys"]).sorted())
    }

    /// A writer that is killed between its last two steps leaves two names of the new file.
    @Test func removesTheOtherNameOfAFileBeforeItGetsAPassphrase() throws {
        let leftover = folder.url.appending(path: "clinic.keys.00112233aabbccdd.tmp")
        try FileManager.default.linkItem(at: file, to: leftover)
        try KeyRing.changePassphrase(at: file, from: nil, to: passphrase("horse"), cost: .interactive)
        #expect(try names() == ["clinic.keys"])
        #expect(try protection() != nil)
    }

    @Test func keepsFilesThatAnotherWriterHasLocked() throws {
        let busy = folder.url.appending(path: "clinic.keys.00112233aabbccdd.tmp")
        try Data("x".utf8).write(to: busy)
        let handle = try FileHandle(forReadingFrom: busy)
        #expect(flock(handle.fileDescriptor, LOCK_EX) == 0)
        try KeyRing.update(at: file) { try $0.rotatingKey() }
        #expect(FileManager.default.fileExists(atPath: busy.path))
    }

    @Test func namesAMissingFile() throws {
        let missing = folder.url.appending(path: "none.keys")
        let error = #expect(throws: TransformerError(.unreadableKeyFile, "")) {
            try KeyRing.update(at: missing) { $0 }
        }
        #expect(error?.message.contains(missing.path) == true)
        #expect(try names() == ["clinic.keys"])
    }
}

struct KeyRingImportTests {
    private let value = Data("123-45-6789".utf8)

    @Test func opensValuesSealedByEitherRing() throws {
        let first = try KeyRing.empty.addingKey(named: "clinic")
        let second = try KeyRing.empty.addingKey(named: "clinic").addingKey(named: "billing")
        let sealed = try [first, second].map { try SealedTransformer(keys: $0).encode(value) }
        let united = try first.importing(second)
        #expect(united.names == ["clinic", "billing"])
        #expect(united.generations(of: "clinic").map(\.state) == [.primary, .active])
        for bytes in sealed { #expect(try SealedTransformer(keys: united).decode(bytes) == value) }
        let again = try united.importing(second)
        #expect(again.generations(of: "clinic") == united.generations(of: "clinic"))
    }

    @Test func keepsGenerationsInOrderOfTheirAge() throws {
        let date = { Date(timeIntervalSince1970: $0) }
        let first = try KeyRing.empty.addingKey(named: "clinic", created: date(2))
            .rotatingKey(named: "clinic", created: date(4))
        let second = try KeyRing.empty.addingKey(named: "clinic", created: date(1))
            .rotatingKey(named: "clinic", created: date(3)).rotatingKey(named: "clinic", created: date(5))
        let generations = try first.importing(second).generations(of: "clinic")
        #expect(generations.map(\.created) == (1...5).map { date(Double($0)) })
        #expect(generations.map(\.state) == [.active, .active, .active, .primary, .active])
    }

    @Test func retiredKeysStayRetired() throws {
        let second = try KeyRing.empty.addingKey(named: "clinic").rotatingKey(named: "clinic")
        let id = second.generations(of: "clinic")[0].id
        let united = try KeyRing.empty.addingKey(named: "clinic").importing(second.retiringUnchecked(id))
        #expect(united.generations(of: "clinic").first { $0.id == id }?.state == .retired)
    }

    @Test func completesAPublicKey() throws {
        let pair = try KeyRing.empty.addingKeyPair(named: "letters")
        let completed = try pair.publicPart().importing(pair)
        #expect(completed.generations(of: "letters").map(\.isPublicOnly) == [false])
        let kept = try pair.importing(pair.publicPart())
        #expect(kept.generations(of: "letters").map(\.isPublicOnly) == [false])
    }

    @Test func rejectsANameOfAnotherKind() throws {
        let key = try KeyRing.empty.addingKey(named: "letters")
        let pair = try KeyRing.empty.addingKeyPair(named: "letters")
        #expect(throws: TransformerError(.missingKey, "")) { try key.importing(pair) }
    }

    @Test func rejectsADifferentKeyWithTheSameID() throws {
        let folder = try TemporaryFolder()
        let url = folder.url.appending(path: "a.keys")
        let ring = try KeyRing.empty.addingKey(named: "clinic")
        try ring.write(to: url)
        let text = try String(contentsOf: url, encoding: .utf8)
        let digits = try #require(text.firstRange(of: /tfm-key-[0-9a-f]{64}/))
        let altered = text.replacingCharacters(in: digits, with: "tfm-key-" + String(repeating: "5a", count: 32))
        try Data(altered.utf8).write(to: url)
        let other = try KeyRing(contentsOf: url)
        let error = #expect(throws: TransformerError(.duplicateKey, "")) { try ring.importing(other) }
        #expect(error?.message.contains("5a5a") == false)
    }

    // The name is in the file, so anyone can change it with an editor.
    @Test func namesAKeyThatHasAnotherNameInTheOtherRing() throws {
        let folder = try TemporaryFolder()
        let url = folder.url.appending(path: "a.keys")
        let ring = try KeyRing.empty.addingKey(named: "clinic").addingKey(named: "lab")
        try ring.write(to: url)
        let text = try String(contentsOf: url, encoding: .utf8)
        try Data(text.replacing("\"lab\"", with: "\"ward\"").utf8).write(to: url)
        let other = try KeyRing(contentsOf: url)
        let error = #expect(throws: TransformerError(.duplicateKey, "")) { try ring.importing(other) }
        let id = ring.generations(of: "lab")[0].id
        let reason = "the key with the id \(id) is named “lab” in one key ring and “ward” in the other"
        #expect(error?.message.hasPrefix(reason) == true)
    }
}
