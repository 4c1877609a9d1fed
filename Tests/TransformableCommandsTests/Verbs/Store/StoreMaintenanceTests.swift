import EncryptionPlugin
import Foundation
import Testing

/// `store verify`, `store copy` and `store export`, on a store with sealed and external values.
struct StoreMaintenanceTests {
    private let fixture: StoreFixture
    private let clinic: String
    private static let scan = Data((0..<5000).map { UInt8(truncatingIfNeeded: $0 &* 7) })

    init() throws {
        fixture = try StoreFixture()
        clinic = fixture.folder.path("large.sqlite")
        let model = """
            { "transformableModel": 1, "version": 1, "entities": [ { "name": "Patient", "attributes": [
                { "name": "name", "type": "string" },
                { "name": "bed", "transformer": "rect", "optional": true },
                { "name": "notes", "type": "data", "optional": true, "externalStorage": { "over": 1000 } },
                { "name": "scan", "transformer": "sealed", "optional": true, "externalStorage": { "over": 1000 } }
            ] } ] }
            """
        let file = try fixture.folder.write(Data(model.utf8), "large.json")
        #expect(try fixture.run("store", "create", clinic, "--model", file).messages == "")
        let scan = try fixture.folder.write(Self.scan, "scan")
        let values = ["name=Ada", "bed={{0, 0}, {2, 1}}", "notes=@\(scan)", "scan=@\(scan)"]
        let insertion = ["store", "insert", clinic, "Patient", "--key-file", fixture.keyFile] + values
        #expect(try fixture.run(arguments: insertion).messages == "")
    }

    private var blobs: [String] {
        get throws {
            try FileManager.default.contentsOfDirectory(atPath: clinic + "-blobs").filter { $0 != "unfinished" }
        }
    }

    @Test func anIntactStoreHasNoFaults() throws {
        #expect(try blobs.count == 2)
        let run = try fixture.run("store", "verify", clinic, "--key-file", fixture.keyFile)
        #expect(run.output == "1 object, 2 external blobs: sound\n")
        #expect(run.status == 0)
    }

    @Test func aMissingKeyIsNotAFault() throws {
        let run = try fixture.run("store", "verify", clinic)
        let key = try #require(KeyRing(contentsOf: URL(filePath: fixture.keyFile)).generations(of: "default").first?.id)
        let cause = "because the key \(key) is missing (object 1)"
        let line = "Patient.scan: 1 value could not be checked, \(cause)\n"
        #expect(run.output == line + "1 object, 2 external blobs: no faults in what could be checked\n")
        #expect(run.status == 0)
        let report = try fixture.run("store", "verify", clinic, "--json")
        let found = try #require(JSONSerialization.jsonObject(with: report.outputBytes) as? [String: Any])
        let cells = try #require((found["unreadable"] as? [[String: Any]])?.first)
        #expect(cells["reason"] as? String == "sealed")
        #expect(cells["keys"] as? [String] == ["\(key)"])
        #expect(cells["ids"] as? [Int] == [1])
        #expect(found["faultCount"] as? Int == 0)
    }

    /// Anyone can replace the identifier of a value's key.
    @Test func aValueWithAnUnknownKeyIsAFault() throws {
        let attacked = try AttackedStore()
        let note = "CAST(substr(note, 1, 8) || 'garbage!' || substr(note, 17) AS BLOB)"
        try attacked.sqlite("UPDATE Patient SET note = \(note) WHERE _id = 1")
        let run = try attacked.run(["store", "verify", "STORE", "--key-file", "KEYS"])
        #expect(run.status == 1)
        #expect(run.output.contains("Patient.note, object 1: the value cannot be checked"))
        #expect(run.output.contains("6761726261676521"))
        #expect(run.output.hasSuffix("2 objects, 0 external blobs: 1 fault\n"))
        let keyless = try attacked.run(["store", "verify", "STORE"])
        #expect(keyless.status == 0)
        let line = "Patient.note: 2 values could not be checked, because the keys 6761726261676521, "
        #expect(keyless.output.contains(line))
        #expect(keyless.output.hasSuffix(": no faults in what could be checked\n"))
    }

    @Test func damageIsListed() throws {
        for name in try blobs { try FileManager.default.removeItem(atPath: "\(clinic)-blobs/\(name)") }
        let run = try fixture.run("store", "verify", clinic, "--key-file", fixture.keyFile, "--json")
        #expect(run.status == 1)
        let report = try #require(try JSONSerialization.jsonObject(with: run.outputBytes) as? [String: Any])
        #expect(report["faultCount"] as? Int == 2)
        let faults = try #require(report["faults"] as? [[String: Any]])
        #expect(faults.map { $0["code"] as? String } == ["missing-blob", "missing-blob"])
        #expect(faults.map { $0["attribute"] as? String } == ["notes", "scan"])
    }

    @Test func aCopyNeedsNoKey() throws {
        let copy = fixture.folder.path("copy.sqlite")
        #expect(try fixture.run("store", "copy", clinic, copy).status == 0)
        #expect(try fixture.run("store", "copy", clinic, copy).status == 73)
        let got = try fixture.run("store", "get", copy, "Patient", "1", "scan", "--key-file", fixture.keyFile, "--raw")
        #expect(got.outputBytes.count > 5000)
        let plain = fixture.folder.path("plain")
        let options = ["--key-file", fixture.keyFile, "--out", plain]
        #expect(try fixture.run(arguments: ["store", "get", copy, "Patient", "1", "scan"] + options).status == 0)
        #expect(try Data(contentsOf: URL(filePath: plain)) == Self.scan)
    }

    @Test(arguments: ["", "-blobs/x", "-blobs/unfinished/x"])
    func anOutputCannotBePartOfTheStore(suffix: String) throws {
        for verb in [["copy", clinic, clinic + suffix], ["export", clinic, "--out", clinic + suffix]] {
            let run = try fixture.run(arguments: ["store"] + verb)
            #expect(run.status == 64)
            #expect(run.messages.contains("belongs to the store"))
        }
        #expect(try blobs.count == 2)
    }

    @Test func anOutputRequiresAName() throws {
        #expect(try fixture.run("store", "export", clinic, "--out", "").status == 64)
        #expect(try fixture.run("store", "copy", clinic, "").status == 64)
        // An existing file may be the only copy of someone's data.
        let existing = try fixture.run("store", "copy", clinic, fixture.store)
        #expect(existing.status == 73)
        #expect(!existing.messages.contains("remove"))
    }

    @Test func aCopyReportsMissingBlobs() throws {
        try FileManager.default.removeItem(atPath: "\(clinic)-blobs/\(#require(try blobs.first))")
        let run = try fixture.run("store", "copy", clinic, fixture.folder.path("copy.sqlite"))
        #expect(run.status == 1)
        #expect(run.messages.contains("is missing"))
    }

    @Test func aMissingBlobAffectsOneCellOfAListing() throws {
        try FileManager.default.removeItem(atPath: "\(clinic)-blobs/\(#require(try blobs.first))")
        let run = try fixture.run("store", "show", clinic, "Patient", "--key-file", fixture.keyFile)
        #expect(run.status == 0)
        #expect(run.output.contains("Ada") && run.output.contains("‹missing file›"))
        #expect(run.messages.contains("1 missing file; “store verify” lists the files"))
        #expect(!run.messages.contains("--raw"))
    }

    @Test func anExportIsComplete() throws {
        let folder = fixture.folder.path("export")
        let run = try fixture.run("store", "export", clinic, "--out", folder, "--key-file", fixture.keyFile)
        #expect(run.status == 0)
        let line = try String(contentsOfFile: "\(folder)/Patient.jsonl", encoding: .utf8)
        #expect(
            line == """
                {"_id":1,"name":"Ada","bed":"{{0, 0}, {2, 1}}","notes":{"file":"Patient/1.notes"},\
                "scan":{"file":"Patient/1.scan"}}

                """
        )
        #expect(try Data(contentsOf: URL(filePath: "\(folder)/Patient/1.scan")) == Self.scan)
    }

    @Test func anExportWithoutAKeyRescuesTheBytes() throws {
        let folder = fixture.folder.path("export")
        let run = try fixture.run("store", "export", clinic, "--out", folder, "--undecodable")
        #expect(run.status == 1)
        // No object is exported, only the bytes.
        #expect(run.output == "exported 1 file to “\(folder)”\n")
        #expect(try FileManager.default.contentsOfDirectory(atPath: "\(folder)/Patient") == ["1.scan"])
        #expect(
            try Data(contentsOf: URL(filePath: "\(folder)/Patient/1.scan")).prefix(4) == Data([0x8F, 0x54, 0x46, 0x53])
        )
    }

    @Test func anExportWithoutAKeyIsReported() throws {
        let folder = fixture.folder.path("export")
        let run = try fixture.run("store", "export", clinic, "--out", folder)
        #expect(run.status == 77)
        #expect(run.messages.contains("key"))
        #expect(try String(contentsOfFile: "\(folder)/failures.jsonl", encoding: .utf8).contains("missing-key"))
    }

    // With keys that cannot check the store's seal, forged values might be shown. Without keys, nothing is verified.
    @Test func anExportWithADifferentKeyIsReported() throws {
        let another = fixture.folder.path("another.keys")
        #expect(try fixture.run("keys", "new", another).status == 0)
        let folder = fixture.folder.path("export")
        let run = try fixture.run("store", "export", clinic, "--out", folder, "--key-file", another)
        #expect(run.status == 77)
        #expect(run.messages.contains("open the store with the right keys or with none"))
        #expect(!FileManager.default.fileExists(atPath: folder))
    }

    @Test func aReadOnlyStoreCanBeVerifiedAndCopied() throws {
        // For root, no folder is read-only. The store is opened in the same way.
        let folder = fixture.folder.path("locked")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        for suffix in ["", "-blobs"] {
            try FileManager.default.copyItem(atPath: clinic + suffix, toPath: "\(folder)/large.sqlite\(suffix)")
        }
        chmod("\(folder)/large.sqlite", 0o444)
        chmod(folder, 0o555)
        defer { chmod(folder, 0o755) }
        #expect(try fixture.run("store", "verify", "\(folder)/large.sqlite").status == 0)
        #expect(try fixture.run("store", "copy", "\(folder)/large.sqlite", fixture.folder.path("c.sqlite")).status == 0)
    }
}
