import Foundation
import Testing

/// Every command on files that are not stores, or are truncated: there is one sentence, and nothing is left or changed.
struct WrongStoreTests {
    private let fixture: StoreFixture

    init() throws {
        fixture = try StoreFixture()
    }

    enum Fault: String, CaseIterable {
        case missing, folder, empty, text, database, newer, cut

        var status: Int32 {
            switch self {
            case .missing: 66
            case .newer: 78
            default: 65
            }
        }

        fileprivate func make(_ fixture: StoreFixture) throws -> String {
            let path = fixture.folder.path("wrong.sqlite")
            switch self {
            case .missing: break
            case .folder: try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
            case .empty: try Data().write(to: URL(filePath: path))
            case .text: try Data(repeating: 0x61, count: 5000).write(to: URL(filePath: path))
            case .database: try fixture.sqlite("ATTACH '\(path)' AS other; CREATE TABLE other.t (a)")
            case .newer:
                try FileManager.default.copyItem(atPath: fixture.store, toPath: path)
                try fixture.sqlite("ATTACH '\(path)' AS other; PRAGMA other.user_version = 9")
            case .cut: try Data(contentsOf: URL(filePath: fixture.store)).prefix(5000).write(to: URL(filePath: path))
            }
            return path
        }
    }

    static let verbs: [[String]] = [
        ["store", "show", "FILE", "Patient"], ["store", "schema", "FILE"], ["store", "verify", "FILE"],
        ["store", "copy", "FILE", "OUT"], ["store", "export", "FILE", "--out", "OUT"], ["store", "reseal", "FILE"],
        ["store", "discard", "FILE"], ["store", "discard", "FILE", "--yes"],
        ["store", "import", "FILE", "Patient", "ROWS"], ["store", "insert", "FILE", "Patient", "name=a"],
        ["keys", "list", "KEYS", "--store", "FILE"],
    ]

    @Test(arguments: Fault.allCases, verbs)
    func rejectsTheFileAndLeavesItUnchanged(fault: Fault, verb: [String]) throws {
        let path = try fault.make(fixture)
        let rows = try fixture.folder.write(Data("name\na\n".utf8), "rows.csv")
        let places = ["FILE": path, "OUT": fixture.folder.path("out"), "ROWS": rows, "KEYS": fixture.keyFile]
        let (before, bytes) = (try fixture.folder.names, try? Data(contentsOf: URL(filePath: path)))
        let run = try fixture.run(arguments: verb.map { places[$0] ?? $0 })
        #expect(run.status == fault.status, "\(run.messages)")
        #expect(run.output == "")
        #expect(run.messages.hasPrefix("error: ") && run.messages.split(separator: "\n").count == 1)
        #expect(run.messages.contains("wrong.sqlite"))
        #expect(try fixture.folder.names == before)
        // SQLite itself may update the header of a store.
        if fault != .newer { #expect((try? Data(contentsOf: URL(filePath: path))) == bytes) }
    }

    @Test(arguments: [["store", "copy", "FILE", "OUT"], ["store", "export", "FILE", "--out", "OUT"]])
    func createsNothingIfTheFolderIsMissing(verb: [String]) throws {
        let places = ["FILE": fixture.store, "OUT": fixture.folder.path("nowhere/out")]
        let run = try fixture.run(arguments: verb.map { places[$0] ?? $0 })
        #expect(run.status == 73)
        #expect(run.messages.contains("nowhere/out"))
    }
}
