import Foundation
import Testing
import TransformableCoreData

@Suite struct ModelMapTests {
    @Test func readsEveryMember() throws {
        let json = """
            {"access": "package", "classes": {"A": "B"}, "imports": ["M"], "initialValues": {"A.x": ".y"},
             "transformers": {"T": "rect"}, "types": {"A.x": "Y"}}
            """
        let map = try ModelMap(json: Data(json.utf8))
        #expect(map.access == .package)
        #expect((map.classes, map.imports) == (["A": "B"], ["M"]))
        #expect((map.initialValues, map.transformers, map.types) == (["A.x": ".y"], ["T": "rect"], ["A.x": "Y"]))
        #expect(try ModelMap(json: Data("{}".utf8)) == ModelMap())
    }

    @Test(arguments: [
        ("{\"clases\": {}}", "there is no member “clases”"), ("{\"access\": \"open\"}", "internal, package, public"),
        ("{\"types\": {\"a\": 1}}", "“types.a” in the map"), ("[]", "the map is invalid"), ("{", "the map is invalid"),
    ])
    func rejectsUnknownMembers(_ json: String, _ message: String) throws {
        let error = #expect(throws: CoreDataError(.invalidMap, "")) {
            try ModelMap(json: Data(json.utf8), file: "app.map.json")
        }
        #expect(error?.description.contains(message) == true, "\(String(describing: error))")
        #expect(error?.file == "app.map.json")
    }

    /// Lines and columns are counted by hand.
    @Test(arguments: [
        ("[]", "the map is invalid: it must be an object"), ("null", "the map is invalid: it must be an object"),
        ("{\"types\": []}", "“types” in the map is invalid: it must be an object"),
        ("{\"types\": {\"a\": 1}}", "“types.a” in the map is invalid: it must be a string"),
        ("{\"types\": {\"a\": null}}", "“types.a” in the map is invalid: it must be a string"),
        ("{\"imports\": {}}", "“imports” in the map is invalid: it must be a list of strings"),
        ("{\"imports\": [\"a\", 1]}", "“imports.1” in the map is invalid: it must be a string"),
        ("{\"access\": 1}", "“access” in the map is invalid: it must be a string"),
        ("{\n  types: {} }", "the map is invalid: line 2, column 3: expected a key in double quotes"),
        ("", "the map is invalid: line 1, column 1: expected a value"),
    ])
    func saysWhatWasExpected(json: String, message: String) {
        let error = #expect(throws: CoreDataError.self) { try ModelMap(json: Data(json.utf8)) }
        #expect(error?.message == message)
    }
}
