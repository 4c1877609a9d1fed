import Foundation
import Testing

/// Plain attributes hold what was given, or refuse it.
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
        "decimal=923456789012345678901234567890123456789", "decimal=1234567890123456789012345678901234567891",
        "decimal=1e999", "double=1e999", "double=-1e400", "float=1e39",
    ])
    func refuses(setting: String) throws {
        #expect(try CommandRun("store", "insert", store, "All", setting).status == 65)
    }

    @Test(arguments: [
        "2024-01-02T03:04:05.678Z", "2024-02-29T00:00:00Z", "1999-12-31T23:59:59.5Z", "2024-01-02T03:04:05.000001Z",
    ])
    func showsTheDateThatWasGiven(text: String) throws {
        #expect(try CommandRun("store", "insert", store, "All", "date=\(text)").status == 0)
        #expect(try CommandRun("store", "get", store, "All", "1", "date").output == text + "\n")
        let found = try CommandRun("store", "show", store, "All", "--csv", "--where", "date == \"\(text)\"").output
        #expect(found.contains(text))
    }

    // The largest whole number of a decimal is 2¹²⁸ - 1.
    @Test(arguments: [
        "12345678901234567890123456789012345678", "340282366920938463463374607431768211455",
        "100000000000000000000000000000000000000000", "-0.10",
    ])
    func takesTheDigitsOfADecimal(text: String) throws {
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
    func refusesToRoundADecimal(condition: String) throws {
        let run = try CommandRun("store", "show", store, "All", "--where", condition)
        #expect(run.status != 0)
        #expect(run.messages.contains("more digits"))
    }
}
