import EncryptionPlugin
import Foundation
import StandardPlugin
import Testing
import Transformable

/// Files with unsealed values can be read only by their owner.
struct PrivateOutputTests {
    private let folder: TemporaryFolder
    private let store: String
    private let keys: String

    init() throws {
        folder = try TemporaryFolder()
        store = folder.path("clinic.sqlite")
        keys = folder.path("clinic.keys")
        let model = """
            { "transformableModel": 1, "version": 1, "entities": [ { "name": "Patient", "attributes": [
                { "name": "settings", "transformer": "json | sealed" },
                { "name": "scan", "transformer": "sealed", "externalStorage": { "over": 10 } },
                { "name": "open", "transformer": "json" } ] } ] }
            """
        let path = try folder.write(Data(model.utf8), "clinic.json")
        let secret = try folder.write(Data(#"{"a": "secret"}"#.utf8), "secret.json")
        #expect(try run("keys", "new", keys).status == 0)
        #expect(try run("store", "create", store, "--model", path).status == 0)
        let values = ["settings=@\(secret)", "scan=@\(secret)", "open=@\(secret)"]
        #expect(try run(["store", "insert", store, "Patient", "--key-file", keys] + values).messages == "")
    }

    private func run(_ arguments: String...) throws -> CommandRun { try run(arguments) }

    private func run(_ arguments: [String]) throws -> CommandRun {
        try CommandRun(arguments: arguments) { keys in
            try TransformerRegistry {
                StandardPlugin()
                EncryptionPlugin(keys: keys)
            }
        }
    }

    private func mode(_ name: String) throws -> Int {
        let attributes = try FileManager.default.attributesOfItem(atPath: folder.path(name))
        return try #require(attributes[.posixPermissions] as? Int)
    }

    static let forms: [[String]] = [
        [], ["--json"], ["--extract", "a"], ["--extract", "a", "--raw"], ["--extract", "a", "--json"],
    ]

    @Test(arguments: forms)
    func storedValuesAreWrittenPrivately(form: [String]) throws {
        let get = ["store", "get", store, "Patient", "1"]
        let out = ["--key-file", keys, "--out", folder.path("out")]
        let got = try run(get + ["settings"] + form + out)
        #expect(got.messages == "")
        #expect(try mode("out") == 0o600)
        // The control: values that are not sealed need no protection.
        try FileManager.default.removeItem(atPath: folder.path("out"))
        #expect(try run(get + ["open"] + form + out).status == 0)
        #expect(try mode("out") & 0o044 != 0)
        try FileManager.default.removeItem(atPath: folder.path("out"))
        #expect(try run(get + ["settings", "--raw"] + out).status == 0)
        #expect(try mode("out") & 0o044 != 0)
    }

    @Test(arguments: forms)
    func decodedValuesAreWrittenPrivately(form: [String]) throws {
        let sealed = folder.path("sealed")
        let input = ["json | sealed", "--key-file", keys, "--in"]
        #expect(try run(["encode"] + input + [folder.path("secret.json"), "--out", sealed]).messages == "")
        #expect(try run(["decode"] + input + [sealed, "--out", folder.path("out")] + form).messages == "")
        #expect(try mode("out") == 0o600)
    }

    @Test func copiesAndExportsArePrivate() throws {
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: store)
        #expect(try run("store", "copy", store, folder.path("copy.sqlite")).status == 0)
        #expect(try mode("copy.sqlite") == 0o600)
        #expect(try mode("copy.sqlite-blobs") == 0o700)
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path("copy.sqlite-blobs"))
        where name != "unfinished" {
            #expect(try mode("copy.sqlite-blobs/\(name)") == 0o600)
        }
        #expect(try run("store", "export", store, "--out", folder.path("export"), "--key-file", keys).status == 0)
        #expect(try mode("export") == 0o700)
        let files = try FileManager.default.subpathsOfDirectory(atPath: folder.path("export"))
        #expect(files.count > 3)
        #expect(try files.allSatisfy { try mode("export/\($0)") & 0o077 == 0 })
    }
}
