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
        try CommandRun(arguments: arguments, environment: environment) { keys in
            try TransformerRegistry {
                SamplePlugin()
                EncryptionPlugin(keys: keys)
            }
        }
    }

    @Test func makesAPrivateFileOnce() throws {
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

    @Test func refusesWhatIsNoKeyFile() throws {
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

    @Test func endsWith77WhereKeysAreMissingRefusedOrWrong() throws {
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

    @Test func tellsWhereKeysComeFrom() throws {
        #expect(try run("encode", "text | sealed", "hunter2").messages.contains("--key-file"))
    }

    @Test func opensNoAlteredValue() throws {
        #expect(try run("keys", "new", keyFile).status == 0)
        let sealed = folder.path("ssn.bin")
        #expect(try run("encode", "text | sealed", "hunter2", "--key-file", keyFile, "--out", sealed).status == 0)
        var bytes = try Data(contentsOf: URL(filePath: sealed))
        bytes[bytes.count - 1] ^= 1
        try folder.write(bytes, "ssn.bin")
        #expect(try run("decode", "text | sealed", "--in", sealed, "--key-file", keyFile).status == 77)
    }
}
