import Foundation
import Testing
import Transformable

/// The text form of a number in a transformer may differ from that of its type.
@Suite struct NumberFormTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    /// An amount of 1250 cents is written as 12.50.
    private static func registry() throws -> TransformerRegistry {
        let form = HumanForm<Int64>
            .text(
                parse: { text in
                    guard let amount = Double(text) else { throw TransformerError.invalidData("it is not an amount") }
                    return Int64((amount * 100).rounded())
                },
                print: { cents in "\(cents / 100).\(cents % 100)" }
            )
        let cents = FunctionTransformer<Int64, String>(encode: { "\($0)" }, decode: { try Self.number($0) })
        return try TransformerRegistry {
            Registration.text
            Registration("cents", form: form, cents)
        }
    }

    private static func number(_ text: String) throws -> Int64 {
        guard let number = Int64(text) else { throw TransformerError.invalidData("the text is not a number") }
        return number
    }

    private func run(_ arguments: String...) throws -> CommandRun {
        try CommandRun(arguments: arguments) { _ in try Self.registry() }
    }

    @Test(arguments: ["csv", "json"])
    func listedRowsCanBeImported(format: String) throws {
        let model = """
            { "transformableModel": 1, "version": 1, "entities": [
              { "name": "Item", "attributes": [ { "name": "price", "transformer": "cents" } ] } ] }
            """
        let file = try folder.write(Data(model.utf8), "items.json")
        let (store, copy) = (folder.path("items.sqlite"), folder.path("copy.sqlite"))
        #expect(try run("store", "create", store, "--model", file).status == 0)
        #expect(try run("store", "create", copy, "--model", file).status == 0)
        #expect(try run("store", "insert", store, "Item", "price=12.50").output == "1\n")
        let rows = try run("store", "show", store, "Item", "--\(format)").outputBytes
        let shown = try folder.write(rows, "rows.\(format)")
        #expect(try run("store", "import", copy, "Item", shown).messages == "")
        #expect(try run("store", "get", copy, "Item", "1", "price").output.hasPrefix("12.50"))
    }
}
