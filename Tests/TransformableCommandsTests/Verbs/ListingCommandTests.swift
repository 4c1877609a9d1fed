import EncryptionPlugin
import Foundation
import GeometryPlugin
import ImagePlugin
import StandardPlugin
import Testing
import Transformable

struct ListingCommandTests {
    private func json(_ run: CommandRun) throws -> [String: Any] {
        try #require(JSONSerialization.jsonObject(with: run.outputBytes) as? [String: Any])
    }

    @Test func listsNamesAndTypes() throws {
        let run = try CommandRun("list")
        #expect(run.status == 0)
        #expect(run.output.contains("NAME"))
        #expect(run.output.contains("upper    "))
        #expect(run.output.contains("Data to Int64"))
        #expect(run.output.contains("11 transformers; plugins: sample"))
        #expect(run.output.hasSuffix("“list NAME” shows the arguments and traits of a transformer\n"))
    }

    /// Wider lines are broken in most windows.
    @Test func theListFitsAHundredColumns() throws {
        let run = try CommandRun("list") { keys in
            try TransformerRegistry {
                StandardPlugin()
                GeometryPlugin()
                ImagePlugin()
                EncryptionPlugin(keys: keys)
            }
        }
        let lines = run.output.split(separator: "\n")
        #expect(lines.count > 100)
        #expect(lines.filter { $0.count > 100 } == [])
    }

    @Test func listsAsJSON() throws {
        let run = try CommandRun("list", "--json")
        let listing = try json(run)
        let transformers = try #require(listing["transformers"] as? [[String: Any]])
        let count = try #require(transformers.first { $0["name"] as? String == "count" })
        #expect(count["isReversible"] as? Bool == false)
        #expect(count["gives"] as? String == "Int64")
        #expect(listing["plugins"] as? [String] == ["sample"])
    }

    @Test func describesASingleTransformerInFull() throws {
        let run = try CommandRun("list", "pair")
        #expect(run.output.contains("first: an integer, by default 1; the first"))
        #expect(run.output.contains("second: an integer, must be given (needed to read); the second"))
        #expect(try CommandRun("list", "pairs").status == 64)
        #expect(try CommandRun("list", "pairs").messages.contains("did you mean “pair”"))
    }

    @Test(arguments: ["list", "explain"])
    func anUnknownNameIsReportedWithTheVerbThatListsAll(verb: String) throws {
        let run = try CommandRun(verb, "nonsense")
        #expect(run.status == 64)
        #expect(run.messages.hasPrefix("error: nonsense: no transformer is registered as “nonsense”"))
        #expect(run.messages.hasSuffix(" (“list” lists all transformers)\n"), "\(run.messages)")
    }

    @Test func explains() throws {
        let run = try CommandRun("explain", "upper|text")
        #expect(run.status == 0)
        #expect(run.output.hasPrefix("upper | text\n"))
        #expect(run.output.contains("text/1(encoding: utf-8)"))
        #expect(try json(CommandRun("explain", "upper | text", "--json"))["gives"] as? String == "Data")
        #expect(try CommandRun("explain", "upper |").status == 64)
        #expect(try CommandRun("explain", "upper | nonsense").status == 64)
    }

    @Test(arguments: [
        ("reverse", "hello", "equal to the value", 0),
        ("upper", "hello", "differs from the value, as a lossy expression may", 0),
        ("upper", "HELLO", "equal to the value", 0),
        ("broken", "1", "DIFFERS", 1),
    ])
    func comparesAfterARoundtrip(expression: String, value: String, finding: String, status: Int32) throws {
        let run = try CommandRun("roundtrip", expression, value)
        #expect(run.output.contains(finding))
        #expect(run.status == status)
        #expect(run.messages.isEmpty == (status == 0))
    }

    @Test func reportsARoundtripAsJSON() throws {
        let report = try json(CommandRun("roundtrip", "broken", "1", "--json"))
        #expect(report["isEqual"] as? Bool == false)
        #expect((report["faults"] as? [String])?.count == 1)
        #expect(try CommandRun("roundtrip", "count", "x").status == 64)
        #expect(try CommandRun("roundtrip", "number", "x").status == 65)
    }

    @Test func inspectsWithThePlugins() throws {
        let folder = try TemporaryFolder()
        let run = try CommandRun("inspect", folder.write(Data("SAMPLE....".utf8), "x"))
        #expect(run.output == "sample file\n  bytes:  10\n  color:  red\\u{1b}[31m\n\na\n  b\n")
        #expect(try CommandRun("inspect", folder.write(Data("SAMPLE".utf8), "x")).status == 65)
        #expect(try CommandRun("inspect", folder.path("nothing")).status == 66)
        #expect(try CommandRun("inspect").status == 64)
    }

    @Test(arguments: [
        (Data(), "empty"), (Data("hello\n".utf8), "UTF-8 text"), (Data("{\"a\": 1}".utf8), "JSON text"),
        (Data("{\"a\": ".utf8), "UTF-8 text"), (Data([0, 1, 2]), "binary data"), (Data([0x1F, 0x8B, 8]), "gzip data"),
        (Data("SQLite format 3\0".utf8), "SQLite database"),
    ])
    func recognizesFilesThatNoPluginKnows(bytes: Data, kind: String) throws {
        let run = try CommandRun("inspect", "-", input: bytes)
        #expect(run.output.hasPrefix("\(kind)\n"))
        #expect(run.status == 0)
    }
}
