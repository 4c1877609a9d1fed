import EncryptionPlugin
import Foundation
import Testing
import Transformable

struct KeysCommandTests {
    private let folder: TemporaryFolder
    private let keyFile: String

    init() throws {
        folder = try TemporaryFolder()
        keyFile = folder.path("clinic.keys")
    }

    private func run(_ arguments: String..., environment: [String: String] = [:]) throws -> CommandRun {
        try run(arguments, environment: environment)
    }

    private func run(_ arguments: [String], environment: [String: String] = [:]) throws -> CommandRun {
        try CommandRun(arguments: arguments, environment: environment) { keys in
            try TransformerRegistry {
                SamplePlugin()
                EncryptionPlugin(keys: keys)
            }
        }
    }

    @Test func createsAPrivateFileOnce() throws {
        let made = try run("keys", "new", keyFile, "--name", "clinic")
        #expect(made.status == 0)
        #expect(made.output.contains("clinic"))
        let attributes = try FileManager.default.attributesOfItem(atPath: keyFile)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        let before = try Data(contentsOf: URL(filePath: keyFile))
        #expect(try run("keys", "new", keyFile).status == 73)
        #expect(try Data(contentsOf: URL(filePath: keyFile)) == before)
        #expect(try folder.names == ["clinic.keys"])
    }

    @Test func doesNotReplaceASymbolicLinkThatLeadsNowhere() throws {
        try FileManager.default.createSymbolicLink(atPath: keyFile, withDestinationPath: folder.path("none"))
        let refused = try run("keys", "new", keyFile)
        #expect(refused.status == 73)
        #expect(refused.messages.hasPrefix("error: “\(keyFile)” already exists; choose another name"))
        #expect(try folder.names == ["clinic.keys"])
    }

    @Test func saysWhichKeysOfAStoreAFileLacks() throws {
        let fixture = try StoreFixture()
        let ring = try KeyRing(contentsOf: URL(filePath: fixture.keyFile))
        let needed = try #require(ring.names.flatMap(ring.generations).first?.id)
        #expect(try run("keys", "new", keyFile).status == 0)
        let old = try KeyRing(contentsOf: URL(filePath: keyFile))
        let retired = try #require(old.names.flatMap(old.generations).first?.id)
        #expect(try run("keys", "rotate", keyFile).status == 0)
        for arguments in [["list", keyFile], ["retire", keyFile, "\(retired)"]] {
            let run = try run(["keys"] + arguments + ["--store", fixture.store])
            #expect(run.status == 0)
            let note = "note: the stores need the key \(needed), which this key file does not have"
            #expect(run.messages.hasPrefix(note), "\(run.messages)")
        }
        #expect(try run("keys", "list", fixture.keyFile, "--store", fixture.store).messages == "")
    }

    @Test func rejectsFilesThatAreNotKeyFiles() throws {
        #expect(try run("keys", "new", folder.path("nowhere/x")).status == 73)
        #expect(try run("keys", "new", keyFile, "--name", "a b").status == 64)
        #expect(try run("keys", "new").status == 64)
        #expect(try folder.names == [])
    }

    @Test func sealsAndOpens() throws {
        #expect(try run("keys", "new", keyFile).status == 0)
        let sealed = folder.path("ssn.bin")
        #expect(try run("encode", "text | sealed", "hunter2", "--key-file", keyFile, "--out", sealed).status == 0)
        let opened = try run("decode", "text | sealed", "--in", sealed, "--key-file", keyFile)
        #expect(opened.output == "hunter2")
        let byVariable = try run(
            "decode",
            "text | sealed",
            "--in",
            sealed,
            environment: ["TRANSFORMABLE_KEY_FILE": keyFile]
        )
        #expect(byVariable.output == "hunter2")
        #expect(try run("inspect", sealed).output.hasPrefix("sealed value\n"))
    }

    @Test func exitsWith77IfKeysAreMissingRefusedOrWrong() throws {
        #expect(try run("keys", "new", keyFile).status == 0)
        let other = folder.path("other.keys")
        #expect(try run("keys", "new", other).status == 0)
        let sealed = folder.path("ssn.bin")
        #expect(try run("encode", "text | sealed", "hunter2", "--key-file", keyFile, "--out", sealed).status == 0)
        let refusals = try [
            run("decode", "text | sealed", "--in", sealed),
            run("decode", "text | sealed", "--in", sealed, "--key-file", other),
            run("decode", "text | sealed", "--in", sealed, "--key-file", folder.path("none")),
            run("encode", "text | sealed", "hunter2"),
            run("encode", "text | sealed(key: \"none\")", "hunter2", "--key-file", keyFile),
        ]
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: keyFile)
        let readable = try run("decode", "text | sealed", "--in", sealed, "--key-file", keyFile)
        for refusal in refusals + [readable] {
            #expect(refusal.status == 77)
            #expect(refusal.output == "")
            #expect(!refusal.messages.contains("hunter2"))
            #expect(!refusal.messages.contains("Domain="))
        }
    }

    @Test func explainsWhereKeysComeFrom() throws {
        #expect(try run("encode", "text | sealed", "hunter2").messages.contains("--key-file"))
    }

    @Test func rejectsAlteredValues() throws {
        #expect(try run("keys", "new", keyFile).status == 0)
        let sealed = folder.path("ssn.bin")
        #expect(try run("encode", "text | sealed", "hunter2", "--key-file", keyFile, "--out", sealed).status == 0)
        var bytes = try Data(contentsOf: URL(filePath: sealed))
        bytes[bytes.count - 1] ^= 1
        try folder.write(bytes, "ssn.bin")
        #expect(try run("decode", "text | sealed", "--in", sealed, "--key-file", keyFile).status == 77)
    }

    /// Writes a file that only its owner can use.
    private func secret(_ text: String, _ name: String) throws -> String {
        let path = try folder.write(Data(text.utf8), name)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
        return path
    }

    @Test func protectsWithAPassphrase() throws {
        let passphrase = try secret("correct horse\n", "passphrase")
        #expect(try run("keys", "new", keyFile, "--passphrase-file", passphrase).status == 0)
        let sealed = folder.path("ssn.bin")
        let options = ["--key-file", keyFile, "--passphrase-file", passphrase]
        #expect(try run(["encode", "text | sealed", "hunter2", "--out", sealed] + options).status == 0)
        #expect(try run(["decode", "text | sealed", "--in", sealed] + options).output == "hunter2")
        let file = try #require(FileHandle(forReadingAtPath: passphrase))
        let byDescriptor = ["--key-file", keyFile, "--passphrase-descriptor", "\(file.fileDescriptor)"]
        #expect(try run(["decode", "text | sealed", "--in", sealed] + byDescriptor).output == "hunter2")
    }

    @Test func exitsWith77WithoutThePassphrase() throws {
        let passphrase = try secret("correct horse\n", "passphrase")
        #expect(try run("keys", "new", keyFile, "--passphrase-file", passphrase).status == 0)
        let none = try run("encode", "text | sealed", "hunter2", "--key-file", keyFile)
        #expect(none.status == 77)
        #expect(none.messages.contains("--passphrase-file"))
        let other = try secret("battery staple\n", "other")
        let wrong = try run("encode", "text | sealed", "hunter2", "--key-file", keyFile, "--passphrase-file", other)
        #expect(wrong.status == 77)
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: passphrase)
        #expect(try run("keys", "new", folder.path("new"), "--passphrase-file", passphrase).status == 77)
        #expect(try run("keys", "new", folder.path("new"), "--passphrase").status == 77)
        #expect(try !folder.names.contains("new"))
    }

    @Test func createsAKeyPair() throws {
        let made = try run("keys", "new", keyFile, "--name", "letters", "--pair")
        #expect(made.output.contains("key pair “letters”"))
        #expect(try KeyRing(contentsOf: URL(filePath: keyFile)).kind(of: "letters") == .pair)
    }

    @Test func addsKeysAndKeyPairs() throws {
        #expect(try run("keys", "new", keyFile, "--name", "clinic").status == 0)
        #expect(try run("keys", "add", keyFile, "--name", "billing").status == 0)
        #expect(try run("keys", "add", keyFile, "--name", "letters", "--pair").output.contains("key pair “letters”"))
        let ring = try KeyRing(contentsOf: URL(filePath: keyFile))
        #expect(ring.names == ["clinic", "billing", "letters"])
        #expect(ring.defaultName == "clinic")
        let twice = try run("keys", "add", keyFile, "--name", "billing")
        #expect(twice.status == 65)
        #expect(twice.messages.contains("billing"))
    }

    @Test func writesThePublicPartOnce() throws {
        #expect(try run("keys", "new", keyFile, "--name", "letters", "--pair").status == 0)
        let other = folder.path("public.keys")
        #expect(try run("keys", "public", keyFile, "--out", other).status == 0)
        #expect(try !String(contentsOf: URL(filePath: other), encoding: .utf8).contains("tfm-key-"))
        #expect(try run("keys", "public", keyFile, "--out", other).status == 73)
        let sealed = folder.path("letter.bin")
        let expression = "text | sealed(to: \"letters\")"
        #expect(try run("encode", expression, "hunter2", "--key-file", other, "--out", sealed).status == 0)
        #expect(try run("decode", expression, "--in", sealed, "--key-file", other).status == 77)
        #expect(try run("decode", expression, "--in", sealed, "--key-file", keyFile).output == "hunter2")
        let rotated = try run("keys", "rotate", other, "--name", "letters")
        #expect(rotated.status == 77)
        #expect(rotated.messages.hasPrefix("error: the key file has only the public key of “letters”; rotate it in"))
        #expect(try !String(contentsOf: URL(filePath: other), encoding: .utf8).contains("tfm-key-"))
        let secret = folder.path("secret.keys")
        #expect(try run("keys", "new", secret).status == 0)
        #expect(try run("keys", "public", secret, "--out", folder.path("none.keys")).status == 65)
    }

    /// Both parts of a pair have the same name and the same identifier.
    @Test func tellsAPublicPartFromAPair() throws {
        #expect(try run("keys", "new", keyFile, "--name", "letters", "--pair").status == 0)
        let other = folder.path("other.keys")
        #expect(try run("keys", "public", keyFile, "--out", other).status == 0)
        for command in [["keys", "list"], ["inspect"]] {
            #expect(try run(command + [other]).output.contains("primary, public only"))
            #expect(try !run(command + [keyFile]).output.contains("public only"))
        }
        #expect(try run("keys", "list", other, "--json").output.contains("\"publicOnly\""))
        let completed = try run("keys", "import", other, keyFile)
        #expect(completed.output.hasPrefix("added the secret part of 1 pair from “\(keyFile)”"))
        #expect(try !run("keys", "list", other).output.contains("public only"))
    }

    /// Whoever has a key that is not marked as shared can seal a changed store.
    @Test(arguments: [([], 0), (["--shared"], 78)] as [([String], Int32)])
    func aSharedKeyDoesNotSealAStore(options: [String], status: Int32) throws {
        let (partner, store) = (folder.path("partner.keys"), folder.path("clinic.sqlite"))
        let model = try folder.write(Data(AttackedStore.model.utf8), "clinic.json")
        #expect(try run("keys", "new", keyFile, "--name", "clinic").status == 0)
        #expect(try run("keys", "new", partner, "--name", "partner").status == 0)
        let imported = try run(["keys", "import", keyFile, partner] + options)
        #expect(imported.messages.contains("“partner” is a shared key,") == !options.isEmpty)
        #expect(try run("store", "create", store, "--model", model, "--key-file", keyFile).status == 0)
        #expect(
            try run("store", "seal", store, "--key-file", partner, "--accept-model", "--lost-key").status == 0
        )
        #expect(try run("store", "show", store, "--key-file", keyFile).status == status)
        #expect(try run("keys", "list", keyFile).output.contains("primary, shared") == !options.isEmpty)
        #expect(try run("keys", "list", keyFile, "--json").output.contains("\"shared\"") == !options.isEmpty)
    }

    @Test func importsAnotherFile() throws {
        let other = folder.path("other.keys")
        #expect(try run("keys", "new", keyFile).status == 0)
        #expect(try run("keys", "new", other).status == 0)
        let sealed = folder.path("ssn.bin")
        #expect(try run("encode", "text | sealed", "hunter2", "--key-file", other, "--out", sealed).status == 0)
        #expect(try run("decode", "text | sealed", "--in", sealed, "--key-file", keyFile).status == 77)
        #expect(try run("keys", "import", keyFile, other).output.contains("added 1 key from"))
        #expect(try run("decode", "text | sealed", "--in", sealed, "--key-file", keyFile).output == "hunter2")
        #expect(try run("keys", "import", keyFile, other).output.contains("added 0 keys from"))
    }

    /// After a key was exposed, a program that imports its successor must not go on sealing with it unnoticed.
    @Test func importingNamesAPrimaryKeyThatStaysAlthoughItIsOlder() throws {
        let date = { Date(timeIntervalSince1970: $0) }
        let old = try KeyRing.empty.addingKey(named: "clinic", created: date(1))
            .addingKeyPair(named: "letters", created: date(2))
        let new = try old.rotatingKey(named: "letters", created: date(3)).publicPart()
        let other = folder.path("other.keys")
        try old.write(to: URL(filePath: keyFile))
        try new.write(to: URL(filePath: other))
        let ids = new.generations(of: "letters").map(\.id)
        let way = "to seal with \(ids[1]) instead, import “\(keyFile)” into “\(other)”"
        let note = "note: “letters” still seals with \(ids[0]), although \(ids[1]) is newer; \(way)\n"
        #expect(try run("keys", "import", keyFile, other).messages == note)
        #expect(try run("keys", "import", other, keyFile).messages == "")
        let united = try KeyRing(contentsOf: URL(filePath: other))
        #expect(united.generations(of: "letters").map(\.state) == [.active, .primary])
        #expect(united.defaultName == "clinic")
    }

    @Test func importingNamesRetiredKeys() throws {
        let other = folder.path("other.keys")
        #expect(try run("keys", "new", keyFile).status == 0)
        #expect(try run("keys", "new", other).status == 0)
        let id = try #require(KeyRing(contentsOf: URL(filePath: other)).generations(of: "default").first).id
        #expect(try run("keys", "rotate", other).status == 0)
        #expect(try run("keys", "retire", other, "\(id)", "--unchecked").status == 0)
        let imported = try run("keys", "import", keyFile, other)
        #expect(imported.output.contains("added 2 keys from"))
        #expect(imported.messages.contains("the key \(id) is retired"))
        let way = try #require(imported.messages.firstMatch(of: /“(keys retire [^”]+)”/)).output.1
        #expect(try run(way.split(separator: " ").map(String.init)).status == 0)
        let generations = try KeyRing(contentsOf: URL(filePath: keyFile)).generations(of: "default")
        #expect(generations.first { $0.id == id }?.state == .active)
    }

    @Test func rotatingNamesTheKeyThatSealedBefore() throws {
        let other = folder.path("other.keys")
        #expect(try run("keys", "new", keyFile).status == 0)
        #expect(try run("keys", "new", other).status == 0)
        let former = try #require(KeyRing(contentsOf: URL(filePath: keyFile)).generations(of: "default").first)
        #expect(try run("keys", "import", keyFile, other).status == 0)
        let rotated = try run("keys", "rotate", keyFile)
        #expect(rotated.output.hasSuffix("; \(former.id) still opens old values\n"))
    }

    @Test func rotatingAMissingKeyNamesTheCommandThatListsKeys() throws {
        #expect(try run("keys", "new", keyFile).status == 0)
        let rotated = try run("keys", "rotate", keyFile, "--name", "letters")
        #expect(rotated.status == 77)
        #expect(rotated.messages == "error: the key file has no key “letters”; list its keys with “keys list”\n")
    }

    /// The file may be one that someone without the passphrase has put in the place of the protected one.
    @Test(arguments: ["keys list", "keys rotate", "keys passphrase --remove", "encode sealed x --key-file"])
    func aPassphraseDoesNotOpenAFileWithoutOne(command: String) throws {
        #expect(try run("keys", "new", keyFile).status == 0)
        let before = try Data(contentsOf: URL(filePath: keyFile))
        let passphrase = try secret("horse\n", "passphrase")
        let words = command.split(separator: " ").map(String.init)
        let found = try run(words + [keyFile, "--passphrase-file", passphrase])
        #expect(found.status == 77)
        #expect(found.messages.contains("a passphrase was given, but the key ring is not protected by one"))
        #expect(found.output == "")
        #expect(try Data(contentsOf: URL(filePath: keyFile)) == before)
    }

    @Test func errorsNameTheOptionForANewPassphrase() throws {
        #expect(try run("keys", "new", keyFile).status == 0)
        let change = try run("keys", "passphrase", keyFile)
        #expect(change.status == 77)
        #expect(change.messages.contains("--new-passphrase-file"))
        let new = try run("keys", "new", folder.path("new"), "--passphrase")
        #expect(new.messages.hasSuffix("use --passphrase-file\n"))
    }

    @Test func changesThePassphrase() throws {
        let (old, new) = try (secret("horse\n", "old"), secret("staple\n", "new"))
        #expect(try run("keys", "new", keyFile).status == 0)
        let set = ["keys", "passphrase", keyFile, "--new-passphrase-file", old, "--cost", "interactive"]
        #expect(try run(set).status == 0)
        #expect(try run("keys", "rotate", keyFile).status == 77)
        let change = ["--passphrase-file", old, "--new-passphrase-file", new]
        #expect(try run(["keys", "passphrase", keyFile] + change).status == 0)
        #expect(try run("keys", "rotate", keyFile, "--passphrase-file", old).status == 77)
        #expect(try run("keys", "rotate", keyFile, "--passphrase-file", new).status == 0)
        #expect(try run("keys", "passphrase", keyFile, "--passphrase-file", new, "--remove").status == 0)
        #expect(try KeyRing(contentsOf: URL(filePath: keyFile)).generations(of: "default").count == 2)
        #expect(try run("keys", "passphrase", keyFile).status == 77)
    }
}
