import EncryptionPlugin
import Foundation
import Testing
import Transformable

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
        #expect(throws: TransformerError.self) { try ssn.decode(bytes) }
    }

    @Test func keys() throws {
        let url = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).keys")
        defer { try? FileManager.default.removeItem(at: url) }
        let ring = try KeyRing.empty.addingKey(named: "clinic")
        try ring.write(to: url)

        let later = try KeyRing(contentsOf: url).rotatingKey(named: "clinic")
        try later.write(to: url, replacing: true)

        let old = try TransformerRegistry { EncryptionPlugin(keys: ring) }
        let new = try TransformerRegistry { EncryptionPlugin(keys: later) }
        let bytes = try old.transformer("sealed", for: String.self).encode("secret")
        #expect(try new.transformer("sealed", for: String.self).decode(bytes) == "secret")
    }
}
