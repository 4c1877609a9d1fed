import EncryptionPlugin
import Foundation
import StandardPlugin
import Testing
import Transformable
import TransformableSQLite
import TransformableStore

/// The leftovers of an interrupted re-encoding to plain values, which commands report and remove.
struct ResealAbortTests {
    private let folder: TemporaryFolder
    private let store: String
    private let keys: String

    private struct Interruption: Error {}

    private static func registry(_ ring: KeyRing) throws -> TransformerRegistry {
        try TransformerRegistry {
            StandardPlugin()
            EncryptionPlugin(keys: ring)
        }
    }

    init() throws {
        folder = try TemporaryFolder()
        store = folder.path("clinic.sqlite")
        keys = folder.path("clinic.keys")
        let ring = try KeyRing.empty.addingKey()
        try ring.write(to: URL(filePath: keys))
        let ssn = AttributeDescription.transformed("ssn", "text | sealed", as: String.self)
        let model = try Model(entities: [EntityDescription("Patient", attributes: [ssn])])
        let opened = try Store(at: URL(filePath: store), model: model, transformers: Self.registry(ring))
        try opened.write { context in
            for number in 0..<600 { try context.insert("Patient").setValue("canary number \(number)", for: "ssn") }
        }
        #expect(throws: Interruption.self) {
            try opened.reencode(Reencoding("ssn", of: "Patient", to: .plain)) { _ in throw Interruption() }
        }
        try opened.close()
    }

    private func run(_ arguments: String...) throws -> CommandRun {
        try CommandRun(arguments: arguments, registry: Self.registry)
    }

    private func exposed() throws -> [String] {
        try folder.names.filter {
            try Data(contentsOf: URL(filePath: folder.path($0))).range(of: Data("canary number".utf8)) != nil
        }
    }

    @Test func everyCommandThatReadsWarns() throws {
        #expect(try exposed() == ["clinic.sqlite"])
        let sentence = "Patient.ssn: a re-encoding is unfinished; 512 values wait in the file unencrypted"
        #expect(try run("store", "schema", store).output.contains(sentence))
        let verified = try run("store", "verify", store, "--key-file", keys)
        #expect(verified.output.contains(sentence))
        #expect(verified.output.contains("sound"))
        #expect(try run("store", "verify", store, "--json").output.contains("\"waiting\" : 512"))
        #expect(try run("store", "discard", store).messages.contains(sentence))
        #expect(try exposed() == ["clinic.sqlite"])
    }

    /// If the first value is external, its plaintext may be in a file before anything waits for the end.
    @Test func warnsEvenIfNoValueWaits() throws {
        #expect(try run("store", "delete", store, "Patient", "--where", "true", "--key-file", keys).status == 0)
        let sentence = "a re-encoding is unfinished; values that it has opened may be left in files unencrypted"
        #expect(try run("store", "schema", store).output.contains(sentence))
        #expect(try run("store", "verify", store, "--key-file", keys).output.contains(sentence))
        #expect(try run("store", "discard", store).messages.contains(sentence))
        #expect(try run("store", "reseal", store, "--abort", "--key-file", keys).status == 0)
        #expect(try !run("store", "schema", store).output.contains("unfinished"))
    }

    @Test func abortingRemovesTheUnfinishedValues() throws {
        let named = try run("store", "reseal", store, "--abort", "--dry-run", "--key-file", keys)
        #expect(named.output == "Patient.ssn: would abort the re-encoding, 512 values removed\n")
        #expect(try exposed() == ["clinic.sqlite"])
        #expect(try run("store", "reseal", store, "--abort", "--plain", "--attribute", "Patient.ssn").status == 64)
        let others = try run("store", "reseal", store, "--abort", "--attribute", "Patient.name", "--key-file", keys)
        #expect(others.output == "there are no unfinished re-encodings\n")

        let aborted = try run("store", "reseal", store, "--abort", "--scrub", "--key-file", keys)
        #expect(aborted.status == 0)
        #expect(aborted.messages == "")
        #expect(aborted.output.contains("Patient.ssn: aborted the re-encoding, 512 values removed\n"))
        #expect(aborted.output.contains("scrubbed: none of 512 samples of old values was found"))
        #expect(try exposed() == [])
        let verified = try run("store", "verify", store, "--key-file", keys)
        #expect(verified.output == "600 objects, 0 external blobs: sound\n")
    }

    /// Sealing with a new key removes the leftovers of the other re-encoding, and searches for them.
    @Test func anotherTargetRemovesTheUnfinishedValues() throws {
        let resealed = try run("store", "reseal", store, "--scrub", "--key-file", keys)
        #expect(resealed.status == 0)
        #expect(try exposed() == [])
    }

    @Test func findsARevealingProjection() throws {
        let model = try folder.write(
            Data(
                """
                { "transformableModel": 1, "version": 2, "entities": [ { "name": "Patient", "attributes": [
                    { "name": "ssn", "transformer": "text | sealed", "projections": [
                        { "name": "lower", "transformer": "lowercase", "reveals": true } ] } ] } ] }
                """
                .utf8
            ),
            "clinic.json"
        )
        #expect(try run("store", "reseal", store, "--abort", "--key-file", keys).status == 0)
        let migrated = try run("store", "migrate", store, "--model", model, "--key-file", keys)
        #expect(migrated.status == 0)
        let scrubbed = try run("store", "reseal", store, "--scrub", "--key-file", keys)
        #expect(scrubbed.status == 1)
        #expect(!scrubbed.output.contains("none of"))
        #expect(try run("store", "schema", store).output.contains("lower: lowercase (reveals)"))
    }
}
