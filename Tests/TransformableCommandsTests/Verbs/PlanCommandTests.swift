import EncryptionPlugin
import Foundation
import StandardPlugin
import Testing
import Transformable

/// The recommendations of commands for blind indexes.
struct PlanCommandTests {
    private func run(_ arguments: String...) throws -> CommandRun {
        try CommandRun(arguments: arguments) { keys in
            try TransformerRegistry {
                StandardPlugin()
                EncryptionPlugin(keys: keys)
            }
        }
    }

    // By hand: of 1,000,000 values 3.8 share a number of 18 bits, and of 1,000 not one.
    @Test(arguments: [("1000000", false), ("1000", true)])
    func explainsForANumberOfValues(count: String, warns: Bool) throws {
        let explained = try run("explain", "blind-index(bits: 18)", "--values", count)
        #expect(explained.status == 0)
        #expect(explained.output.contains("warning:") == warns)
        #expect(try run("explain", "blind-index", "--values", "-1").status == 64)
    }

    /// A model of one sealed attribute with some projections.
    private func model(_ projections: String..., version: Int = 1) -> Data {
        Data(
            """
            { "transformableModel": 1, "version": \(version), "entities": [ { "name": "Patient", "attributes": [
                { "name": "ssn", "transformer": "text | sealed", "projections": [ \(projections.joined(separator: ", ")) ] }
            ] } ] }
            """
            .utf8
        )
    }

    private static let ten = #"{ "name": "ten", "transformer": "blind-index(bits: 10)" }"#
    private static let eight = #"{ "name": "eight", "transformer": "blind-index(bits: 8)" }"#
    private static let nine = #"{ "name": "nine", "transformer": "lowercase | blind-index(bits: 9)" }"#
    private static let open = #"{ "name": "open", "transformer": "blind-index(bits: 30)", "reveals": true }"#
    private static let shown = #"{ "name": "shown", "transformer": "lowercase" }"#

    // By hand: 1,000,000 values suit 10 to 18 bits, since 2^18 is 262,144 and 2^19 is 524,288, of which 1.9 share each.
    @Test func addsUpTheBitsOfOneAttribute() throws {
        let folder = try TemporaryFolder()
        let store = folder.path("clinic.sqlite")
        let tooMany = try folder.write(model(Self.ten, Self.nine), "too-many.json")
        let refused = try run("store", "create", store, "--model", tooMany, "--values", "1000000")
        #expect(refused.status == 65)
        #expect(refused.messages.contains("Patient.ten") && refused.messages.contains("Patient.nine"))
        #expect(refused.messages.contains("10 bits and 9 bits of other indexes"))
        let revealing = try folder.write(model(Self.ten, Self.eight, Self.open), "revealing.json")
        #expect(try run("store", "create", store, "--model", revealing, "--values", "1000000").status == 0)

        let more = try folder.write(model(Self.ten, Self.eight, Self.nine, version: 2), "more.json")
        let denied = try run("store", "migrate", store, "--model", more, "--values", "1000000")
        #expect(denied.status == 65)
        #expect(denied.messages.contains("add up"))
        #expect(try run("store", "migrate", store, "--model", more, "--values", "-1").status == 64)
        #expect(try run("store", "migrate", store, "--model", more, "--values", "1000000000").status == 0)
    }

    @Test func rejectsAColumnThatRevealsSealedValues() throws {
        let folder = try TemporaryFolder()
        let store = folder.path("clinic.sqlite")
        let bad = try folder.write(model(Self.ten, Self.shown), "bad.json")
        let refused = try run("store", "create", store, "--model", bad)
        #expect(refused.status == 78)
        #expect(refused.messages.contains("Patient.shown") && refused.messages.contains("reveals"))
        #expect(try folder.names == ["bad.json"])
        let good = try folder.write(model(Self.ten, Self.open), "good.json")
        #expect(try run("store", "create", store, "--model", good).status == 0)
        #expect(try run("store", "schema", store).output.contains("open: blind-index(bits: 30) (reveals)"))

        let newer = try folder.write(model(Self.ten, Self.shown, version: 2), "newer.json")
        let denied = try run("store", "migrate", store, "--model", newer)
        #expect(denied.status == 78)
        #expect(denied.messages.contains("reveals"))
        #expect(try run("store", "schema", store).output.contains("model version 1"))
    }

    @Test func rejectsAnIdentifyingIndex() throws {
        let folder = try TemporaryFolder()
        let model = """
            { "transformableModel": 1, "version": 1, "entities": [
              { "name": "Patient", "attributes": [
                { "name": "ssn", "transformer": "sealed", "projections": [
                  { "name": "finder", "transformer": "blind-index(bits: 18)", "indexed": true } ] } ] } ] }
            """
        let path = try folder.write(Data(model.utf8), "clinic.json")
        let store = folder.path("clinic.sqlite")
        let refused = try run("store", "create", store, "--model", path, "--values", "1000")
        #expect(refused.status == 65)
        #expect(refused.messages.contains("Patient.finder"))
        #expect(try folder.names == ["clinic.json"])
        #expect(try run("store", "create", store, "--model", path, "--values", "1000000").status == 0)
    }
}
