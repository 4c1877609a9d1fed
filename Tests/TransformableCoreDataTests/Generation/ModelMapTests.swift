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
}
