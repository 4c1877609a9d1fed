import Foundation
import Testing
import Transformable
import TransformableSQLite
import TransformableStore

/// Plain attributes store the given value exactly, or reject it.
@Suite struct PlainValueTests {
    private let folder: TemporaryFolder
    private let store: String

    private static let model = """
        { "transformableModel": 1, "version": 1, "entities": [ { "name": "All", "attributes": [
          { "name": "date", "type": "date", "optional": true },
          { "name": "double", "type": "double", "optional": true },
          { "name": "float", "type": "float", "optional": true },
          { "name": "decimal", "type": "decimal", "optional": true } ] } ] }
        """

    init() throws {
        folder = try TemporaryFolder()
        store = folder.path("all.sqlite")
        let model = try folder.write(Data(Self.model.utf8), "all.json")
        #expect(try CommandRun("store", "create", store, "--model", model).status == 0)
    }

    @Test(arguments: [
        "date=2024-02-30", "date=2024-02-30T00:00:00Z", "date=2023-02-29", "date=2024-13-01",
        "date=2024-05-22T25:00:00Z", "date=2024-05-22T00:61:00Z", "date=2024-05-22T00:00:99Z",
        "decimal=923456789012345678901234567890123456789", "decimal=1234567890123456789012345678901234567891",
        "decimal=1e999", "double=1e999", "double=-1e400", "float=1e39",
    ])
    func rejects(setting: String) throws {
        #expect(try CommandRun("store", "insert", store, "All", setting).status == 65)
    }

    @Test(arguments: [
        "2024-01-02T03:04:05.678Z", "2024-02-29T00:00:00Z", "1999-12-31T23:59:59.5Z", "2024-01-02T03:04:05.000001Z",
        "2024-05-22T00:59:00Z", "2024-05-22T00:59:00.5Z", "1974-03-02T21:50:41Z", "0000-12-30T00:00:00Z",
    ])
    func showsTheDateAsGiven(text: String) throws {
        #expect(try CommandRun("store", "insert", store, "All", "date=\(text)").status == 0)
        #expect(try CommandRun("store", "get", store, "All", "1", "date").output == text + "\n")
        let found = try CommandRun("store", "show", store, "All", "--csv", "--where", "date == \"\(text)\"").output
        #expect(found.contains(text))
    }

    @Test func reportsAnInvalidDate() throws {
        let run = try CommandRun("store", "insert", store, "All", "date=2024-05-22T25:00:00Z")
        #expect(run.messages.contains("an hour must be from 0 to 23"))
    }

    /// Texts, the bits of their dates, and what is shown of them, according to Python.
    private static func dates() throws -> [[String]] {
        let tests = URL(filePath: #filePath).appending(path: "../../..").standardized
        let file = try Data(contentsOf: tests.appending(path: "TransformableTests/Vectors/dates.csv"))
        return String(decoding: file, as: UTF8.self).split(separator: "\n").dropFirst()
            .map { $0.split(separator: ",").map(String.init) }
    }

    @Test(arguments: ["csv", "json"])
    func importsAndShowsDatesLikePython(format: String) throws {
        let rows = try Self.dates()
        let lines = format == "csv" ? ["date"] + rows.map { $0[0] } : rows.map { "{\"date\": \"\($0[0])\"}" }
        let input = Data(lines.joined(separator: "\n").utf8)
        let run = try CommandRun("store", "import", store, "All", "-", "--format", format, input: input)
        #expect(run.messages == "")
        let shown = try CommandRun("store", "show", store, "All", "--\(format)")
        #expect(try bits() == rows.map { UInt64($0[1], radix: 16) })
        for row in rows { #expect(shown.output.contains(row[2])) }
        // The dates that were shown are parsed as the same dates.
        let copy = folder.path("copy.sqlite")
        #expect(try CommandRun("store", "create", copy, "--model", folder.path("all.json")).status == 0)
        let again = ["store", "import", copy, "All", "-", "--format", format]
        #expect(try CommandRun(arguments: again, input: shown.outputBytes).messages == "")
        #expect(try bits(copy) == bits())
    }

    /// The bits of all dates, in the order of their objects.
    private func bits(_ path: String? = nil) throws -> [UInt64?] {
        let model = try Model(json: Data(Self.model.utf8))
        let url = URL(filePath: path ?? self.store)
        let store = try Store(at: url, model: model, transformers: TransformerRegistry { SamplePlugin() })
        return try store.read { context in
            try context.fetch("All")
                .map { object in
                    try object.value("date", as: Date?.self)?.timeIntervalSinceReferenceDate.bitPattern
                }
        }
    }

    // The largest whole number of a decimal is 2¹²⁸ - 1.
    @Test(arguments: [
        "12345678901234567890123456789012345678", "340282366920938463463374607431768211455",
        "100000000000000000000000000000000000000000", "-0.10",
    ])
    func keepsAllDigitsOfADecimal(text: String) throws {
        #expect(try CommandRun("store", "insert", store, "All", "decimal=\(text)").status == 0)
        let output = try CommandRun("store", "get", store, "All", "1", "decimal").output
        #expect(output == (text == "-0.10" ? "-0.1\n" : text + "\n"))
    }

    @Test(arguments: [
        "decimal == 12345678901234567.89", "decimal > 12345678901234567.88 and decimal < 12345678901234567.90",
        "decimal + 1 == 12345678901234568.89",
        "0 - decimal == -12345678901234567.89",
        "decimal in (12345678901234567.89)", "decimal != 12345678901234567.88", "12345678901234567.89 == decimal",
        "decimal + 0.00000000000000000001 == 12345678901234567.89000000000000000001",
    ])
    func findsADecimalByAllItsDigits(condition: String) throws {
        #expect(try CommandRun("store", "insert", store, "All", "decimal=12345678901234567.89").status == 0)
        let found = try CommandRun("store", "show", store, "All", "--csv", "--where", condition)
        #expect(found.output.contains("12345678901234567.89"))
    }

    @Test(arguments: [
        "decimal == 1.10000000000000000000000000000000000000001",
        "decimal + 1.10000000000000000000000000000000000000001 > 0",
    ])
    func doesNotRoundADecimal(condition: String) throws {
        let run = try CommandRun("store", "show", store, "All", "--where", condition)
        #expect(run.status != 0)
        #expect(run.messages.contains("more digits"))
    }
}
