import EncryptionPlugin
import Foundation
import Testing
import Transformable
import TransformableSQLite
import TransformableStore

@Suite struct EncryptionSampleTests {
    @Test func landingPage() throws {
        let storeID = UUID()
        let ring = try KeyRing.empty.addingKey(named: "clinic")
        let registry = try TransformerRegistry { EncryptionPlugin(keys: ring) }

        let ssn = try registry.transformer("sealed", for: String.self)
        let cell = TransformContext(store: storeID, entity: 1, attribute: 2, object: 42)
        let bytes = try ssn.encode("123-45-6789", in: cell)
        let text = try ssn.decode(bytes, in: cell)
        #expect(bytes.range(of: Data("123-45-6789".utf8)) == nil)
        #expect(text == "123-45-6789")
        #expect(throws: TransformerError(.authenticationFailed, "")) { try ssn.decode(bytes) }
    }

    @Test func keys() throws {
        let url = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).keys")
        defer { try? FileManager.default.removeItem(at: url) }
        let ring = try KeyRing.empty.addingKey(named: "clinic")
        try ring.write(to: url)

        try KeyRing.update(at: url) { try $0.rotatingKey(named: "clinic") }

        let later = try KeyRing(contentsOf: url)
        let old = try TransformerRegistry { EncryptionPlugin(keys: ring) }
        let new = try TransformerRegistry { EncryptionPlugin(keys: later) }
        let bytes = try old.transformer("sealed", for: String.self).encode("secret")
        #expect(try new.transformer("sealed", for: String.self).decode(bytes) == "secret")
        let partner = try KeyRing.empty.addingKey(named: "partner")

        try KeyRing.update(at: url) { try $0.importing(partner, shared: true) }

        #expect(try KeyRing(contentsOf: url).isShared("partner"))
    }

    @Test func pairs() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let privateURL = folder.appending(path: "private.keys")
        let publicURL = folder.appending(path: "public.keys")
        let ring = try KeyRing.empty.addingKeyPair(named: "inbox")
        try ring.write(to: privateURL)
        try ring.publicPart().write(to: publicURL)

        let sender = try TransformerRegistry { EncryptionPlugin(keys: try KeyRing(contentsOf: publicURL)) }
        let reader = try TransformerRegistry { EncryptionPlugin(keys: try KeyRing(contentsOf: privateURL)) }
        let expression = "sealed(to: \"inbox\")"
        let bytes = try sender.transformer(expression, for: String.self).encode("secret")
        #expect(try reader.transformer(expression, for: String.self).decode(bytes) == "secret")
        #expect(throws: TransformerError(.missingKey, "")) {
            try sender.transformer(expression, for: String.self).decode(bytes)
        }
    }

    @Test func rotation() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let keys = folder.appending(path: "clinic.keys")
        let url = folder.appending(path: "clinic.sqlite")
        let patient = EntityDescription("Patient", attributes: [.transformed("ssn", "sealed", as: String.self)])
        let model = try Model(entities: [patient])
        let first = try KeyRing.empty.addingKey(named: "clinic")
        try first.write(to: keys)
        let older = try TransformerRegistry { EncryptionPlugin(keys: first) }
        let written = try Store(at: url, model: model, transformers: older)
        try written.write { try $0.insert("Patient").setValue("123-45-6789", for: "ssn") }
        try written.close()

        let old = try #require(first.generations(of: "clinic").first).id
        try KeyRing.update(at: keys) { try $0.rotatingKey(named: "clinic") }

        let ring = try KeyRing(contentsOf: keys)
        let registry = try TransformerRegistry { EncryptionPlugin(keys: ring) }
        let store = try Store(at: url, model: model, transformers: registry)
        defer { try? store.close() }
        let needed = #expect(throws: TransformerError(.keyInUse, "")) { try ring.retiring(old, checking: [store]) }
        #expect(needed?.message.contains("needed by 1 value") == true)
        try store.read { context in
            let counts = try context.countStored("ssn", of: "Patient", by: 0..<KeyID.headerCount)
            for (header, count) in counts { print(header.flatMap { KeyID(sealed: $0) } as Any, count) }
            print(try context.indexKeys())
            #expect(counts.map { $0.key.flatMap { KeyID(sealed: $0) } } == [old])
        }
        try store.reencode(Reencoding("ssn", of: "Patient"))
        try store.reauthenticateRows()

        let usage = try KeyUsage(of: [store])
        for key in ring.generations(of: "clinic") {
            print(usage.values[key.id] ?? 0, usage.indexes[key.id] ?? [])
            print(usage.need(of: key.id) ?? "nothing needs the key")
        }
        #expect(usage.need(of: old) == nil)

        for former in ring.generations(of: "clinic") where former.state == .active {
            try KeyRing.update(at: keys) { try $0.retiring(former.id, checking: [store]) }
        }
        #expect(try KeyRing(contentsOf: keys).generations(of: "clinic").map(\.state) == [.retired, .primary])
    }

    /// Compiled and not run: it asks at a terminal.
    private func passphrase(ring: KeyRing, url: URL) throws -> KeyRing {
        let passphrase = try PassphraseSource.terminal(prompt: "Passphrase: ").read()
        try ring.write(to: url, passphrase: passphrase)
        let opened = try KeyRing(contentsOf: url, passphrase: passphrase)
        return opened
    }
}
