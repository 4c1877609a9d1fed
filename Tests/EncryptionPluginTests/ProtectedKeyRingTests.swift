import EncryptionPlugin
import Foundation
import Testing
import Transformable

@Suite struct ProtectedKeyRingTests {
    private let folder: TemporaryFolder
    private let ring: KeyRing
    private let cheap = PassphraseCost(operations: 1, memory: 8 << 10)

    init() throws {
        folder = try TemporaryFolder()
        ring = try KeyRing.empty.addingKey(named: "clinic").rotatingKey()
    }

    private func file(_ name: String = "a.keys") -> URL { folder.url.appendingPathComponent(name) }

    private func passphrase(_ text: String) throws -> SecureBytes {
        let bytes = Data(text.utf8)
        return try SecureBytes(count: bytes.count) { _ = bytes.copyBytes(to: $0) }
    }

    @Test func readsARingBackWithItsPassphrase() throws {
        try ring.write(to: file(), passphrase: passphrase("horse"), cost: cheap)
        let read = try KeyRing(contentsOf: file(), passphrase: passphrase("horse"))
        #expect(read.generations(of: "clinic") == ring.generations(of: "clinic"))
        let bytes = try SealedTransformer(keys: ring).encode(Data("x".utf8))
        #expect(try SealedTransformer(keys: read).decode(bytes) == Data("x".utf8))
        let attributes = try FileManager.default.attributesOfItem(atPath: file().path)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        let text = try String(contentsOf: file(), encoding: .utf8)
        #expect(!text.contains("tfm-key-") && !text.contains("clinic"))
    }

    @Test func opensFilesProtectedByAnotherProgram() throws {
        let whole = try JSONSerialization.jsonObject(with: Data(contentsOf: TestVectors.url)) as? [String: Any]
        let text = try JSONSerialization.data(withJSONObject: #require(whole?["protectedRing"]))
        let url = try folder.write(text, to: "b.keys")
        let read = try KeyRing(contentsOf: url, passphrase: passphrase("correct horse é"))
        #expect(try read.generations(of: "clinic") == TestVectors.ring().generations(of: "clinic"))
    }

    @Test func reportsTheProblem() throws {
        try ring.write(to: file(), passphrase: passphrase("horse"), cost: cheap)
        #expect(throws: TransformerError(.passphraseNeeded, "")) { try KeyRing(contentsOf: file()) }
        let wrong = #expect(throws: TransformerError.self) {
            try KeyRing(contentsOf: file(), passphrase: passphrase("horses"))
        }
        #expect(wrong?.code == .wrongPassphrase)
        #expect(throws: TransformerError(.invalidArgument, "")) {
            try ring.write(to: file("c.keys"), passphrase: passphrase(""), cost: cheap)
        }
    }

    /// Otherwise, someone without the passphrase could replace the file, and with it the keys of new values.
    @Test func aPassphraseDoesNotOpenAFileWithoutOne() throws {
        try ring.write(to: file())
        let error = #expect(throws: TransformerError.self) {
            try KeyRing(contentsOf: file(), passphrase: passphrase("horse"))
        }
        #expect(error?.code == .wrongPassphrase)
        #expect(error?.message.hasPrefix("a passphrase was given, but the key ring is not protected by one") == true)
    }

    @Test func anAlteredFileDoesNotOpen() throws {
        try ring.write(to: file(), passphrase: passphrase("horse"), cost: cheap)
        var object = try #require(
            try JSONSerialization.jsonObject(with: Data(contentsOf: file())) as? [String: Any]
        )
        let sealed = try #require(Data(base64Encoded: object["sealed"] as? String ?? ""))
        for offset in stride(from: 6, to: sealed.count, by: 37) {
            var damaged = sealed
            damaged[offset] ^= 1
            object["sealed"] = damaged.base64EncodedString()
            let url = try folder.write(JSONSerialization.data(withJSONObject: object), to: "\(offset).keys")
            #expect(throws: TransformerError(.wrongPassphrase, ""), "\(offset)") {
                try KeyRing(contentsOf: url, passphrase: passphrase("horse"))
            }
        }
    }

    private static let salt = #""AAAAAAAAAAAAAAAAAAAAAA==""#

    @Test(
        arguments: [
            (#"{"kind": "argon2id", "operations": 1000000, "memory": 8192, "salt": \#(salt)}"#, .limitExceeded),
            (#"{"kind": "argon2id", "operations": 1, "memory": 1099511627776, "salt": \#(salt)}"#, .limitExceeded),
            (#"{"kind": "argon2id", "operations": -1, "memory": -1, "salt": \#(salt)}"#, .limitExceeded),
            (#"{"kind": "argon2id", "operations": 1, "memory": 8192, "salt": "AAAA"}"#, .invalidKeyFile),
            (#"{"kind": "argon2id", "operations": 1, "memory": 8192}"#, .invalidKeyFile),
            (#"{"kind": "provider"}"#, .keyProviderNeeded),
            (#"{"kind": "magic"}"#, .invalidKeyFile),
        ] as [(String, TransformerError.Code)]
    )
    func rejectsHostileParametersImmediately(protection: String, code: TransformerError.Code) throws {
        let text = #"{"transformableKeyRing": 1, "protection": \#(protection), "sealed": "AAAA"}"#
        let url = try folder.write(Data(text.utf8), to: "hostile.keys")
        #expect(throws: TransformerError(code, "")) { try KeyRing(contentsOf: url, passphrase: passphrase("horse")) }
    }

    /// No content, content that is not sealed, a header without content, and the next version of the sealed format.
    @Test(
        arguments: [
            ([], .invalidKeyFile), ([0, 0, 0, 0], .invalidKeyFile),
            ([0x8F, 0x54, 0x46, 0x53, 1, 1, 1, 0], .invalidKeyFile),
            ([0x8F, 0x54, 0x46, 0x53, 2, 1, 1] + Array(repeating: 0, count: 81), .unsupported),
        ] as [([UInt8], TransformerError.Code)]
    )
    func contentsThatAreNotSealedAreNotAKeyRing(bytes: [UInt8], code: TransformerError.Code) throws {
        let protection = #"{"kind": "argon2id", "operations": 1, "memory": 8192, "salt": \#(Self.salt)}"#
        let sealed = Data(bytes).base64EncodedString()
        let text = #"{"transformableKeyRing": 1, "protection": \#(protection), "sealed": "\#(sealed)"}"#
        let url = try folder.write(Data(text.utf8), to: "damaged.keys")
        #expect(throws: TransformerError(code, "")) { try KeyRing(contentsOf: url, passphrase: passphrase("horse")) }
    }

    @Test func readsARingBackWithItsProvider() async throws {
        let provider = try InMemoryKeyProvider(name: "vault")
        try await ring.write(to: file(), provider: provider)
        let read = try await KeyRing(contentsOf: file(), provider: provider)
        #expect(read.generations(of: "clinic") == ring.generations(of: "clinic"))
        let named = #expect(throws: TransformerError.self) {
            try KeyRing(contentsOf: file(), passphrase: passphrase("horse"))
        }
        #expect(named?.code == .keyProviderNeeded)
        #expect(named?.message.contains("“vault”") == true)
        let stranger = try InMemoryKeyProvider(name: "other")
        await #expect(throws: TransformerError(.keyProviderNeeded, "")) {
            try await KeyRing(contentsOf: file(), provider: stranger)
        }
        let impostor = try InMemoryKeyProvider(name: "vault")
        await #expect(throws: TransformerError(.authenticationFailed, "")) {
            try await KeyRing(contentsOf: file(), provider: impostor)
        }
    }

    @Test func anUnprotectedFileNeedsNoProvider() async throws {
        try ring.write(to: file())
        #expect(try await KeyRing(contentsOf: file(), provider: InMemoryKeyProvider()).names == ["clinic"])
    }

    @Test(arguments: [("horse\nbattery", "horse"), ("horse\r\n", "horse"), ("hé", "hé")])
    func readsAPassphraseFromAFileOrADescriptor(content: String, expected: String) throws {
        let url = try folder.write(Data(content.utf8), to: "passphrase")
        #expect(try PassphraseSource.file(url).read() == passphrase(expected))
        let handle = try FileHandle(forReadingFrom: url)
        #expect(try PassphraseSource.descriptor(handle.fileDescriptor).read() == passphrase(expected))
    }

    @Test(arguments: ["", "\n", "\r\n"]) func rejectsAnEmptyPassphrase(content: String) throws {
        let url = try folder.write(Data(content.utf8), to: "passphrase")
        #expect(throws: TransformerError(.passphraseNeeded, "")) { try PassphraseSource.file(url).read() }
        let handle = try FileHandle(forReadingFrom: url)
        #expect(throws: TransformerError(.passphraseNeeded, "")) {
            try PassphraseSource.descriptor(handle.fileDescriptor).read()
        }
    }

    /// The descriptor of a folder cannot be read, and −1 is never a valid descriptor.
    @Test func aReadErrorDoesNotEndAPassphrase() throws {
        let folder = open("/", O_RDONLY | O_DIRECTORY)
        defer { close(folder) }
        for descriptor in [folder, -1] {
            #expect(throws: TransformerError(.unreadableKeyFile, "")) {
                try PassphraseSource.descriptor(descriptor).read()
            }
        }
    }

    @Test func aPassphraseFileMustBePrivate() throws {
        let url = try folder.write(Data("horse\n".utf8), to: "passphrase", mode: 0o644)
        #expect(throws: TransformerError(.refusedKeyFile, "")) { try PassphraseSource.file(url).read() }
    }

    @Test func secretBytesAreNotShown() throws {
        let bytes = try passphrase("horse")
        var dumped = ""
        dump(bytes, to: &dumped)
        #expect("\(bytes) \(String(reflecting: bytes)) \(dumped)".contains("horse") == false)
        #expect(try bytes == passphrase("horse"))
        #expect(try bytes != passphrase("hoarse"))
        #expect(try SecureBytes(randomCount: 32) != SecureBytes(randomCount: 32))
    }
}
