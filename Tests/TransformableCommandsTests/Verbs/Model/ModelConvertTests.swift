import Foundation
import Testing
import TransformableCommands

@Suite struct ModelConvertTests {
    private let folder: TemporaryFolder
    private let model: String

    /// Two versions of a model, of which the second is current.
    init() throws {
        folder = try TemporaryFolder()
        model = folder.path("Clinic.xcdatamodeld")
        try write("Clinic", Self.xml(age: "Integer 16"))
        try write("Clinic 2", Self.xml(age: "Integer 32"))
        let list = """
            <?xml version="1.0" encoding="UTF-8"?><plist version="1.0"><dict><key>_XCCurrentVersionName</key>
            <string>Clinic 2.xcdatamodel</string></dict></plist>
            """
        try Data(list.utf8).write(to: URL(filePath: model).appending(path: ".xccurrentversion"))
    }

    private func write(_ name: String, _ xml: String) throws {
        let version = URL(filePath: model).appending(path: "\(name).xcdatamodel")
        try FileManager.default.createDirectory(at: version, withIntermediateDirectories: true)
        try Data(xml.utf8).write(to: version.appending(path: "contents"))
    }

    private static func xml(age: String) -> String {
        """
        <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
        <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
            <entity name="Patient" representedClassName=".Patient">
                <attribute name="age" optional="YES" attributeType="\(age)" defaultValueString="NO"/>
                <attribute name="colors" optional="YES" attributeType="Transformable"
                    valueTransformerName="ColorsTransformer"/>
            </entity>
        </model>
        """
    }

    @Test func showsTheCurrentVersion() throws {
        let run = try CommandRun(arguments: ["model", "show", model])
        #expect(run.status == 0)
        #expect(
            run.output == """
                Patient: class .Patient
                  age: Integer 32, optional, default 0
                  colors: Transformable, optional, transformer ColorsTransformer

                """
        )
        #expect(run.messages == "note: Patient.age: the default “NO” was read as 0\n")
    }

    @Test func showsTheNamedVersion() throws {
        let run = try CommandRun(arguments: ["model", "show", model, "--model-version", "Clinic"])
        #expect(run.output.contains("age: Integer 16"))
        let wrong = try CommandRun(arguments: ["model", "show", model, "--model-version", "Clinic 3"])
        #expect(wrong.status == 64)
        #expect(wrong.messages.contains("the versions are “Clinic”, “Clinic 2”"))
    }

    @Test func showsModelsAsJSON() throws {
        let run = try CommandRun(arguments: ["model", "show", model, "--json"])
        let root = try #require(JSONSerialization.jsonObject(with: run.outputBytes) as? [String: Any])
        #expect(root["version"] as? Int == 1 && root["modelVersion"] as? String == "Clinic 2")
        let items = try #require(root["items"] as? [[String: Any]])
        #expect(items.map { $0["name"] as? String } == ["Patient", "age", "colors"])
    }

    @Test func convertsToTheModelOfAStore() throws {
        let json = folder.path("clinic.json")
        let run = try CommandRun(arguments: ["model", "convert", model, "--out", json, "--number", "2"])
        #expect(run.status == 0)
        #expect(run.messages.contains("note: Patient.colors: the transformer “ColorsTransformer”"))
        let store = folder.path("clinic.sqlite")
        #expect(try CommandRun(arguments: ["store", "create", store, "--model", json]).status == 0)
        let shown = try CommandRun(arguments: ["model", "show", json])
        #expect(shown.output.contains("age: int32, default 0, optional"))
    }

    @Test(arguments: [
        ["show"], ["convert", "--strict"], ["diff", "JSON"], ["generate", "--out", "OUT"],
    ])
    func saysThatTheModelInAStoreWasNotAuthenticated(verb: [String]) throws {
        let (json, store) = (folder.path("clinic.json"), folder.path("clinic.sqlite"))
        #expect(try CommandRun(arguments: ["model", "convert", model, "--out", json]).status == 0)
        #expect(try CommandRun(arguments: ["store", "create", store, "--model", json]).status == 0)
        let places = ["JSON": json, "OUT": folder.path("out")]
        let run = try CommandRun(arguments: ["model"] + verb.map { places[$0] ?? $0 } + [store])
        #expect(run.status == 0, "\(run.messages)")
        let note = "the model in “\(store)” was not authenticated; to check its seal, use “store seal” with the key"
        #expect(run.messages.components(separatedBy: "note: \(note)\n").count == 2, "\(run.messages)")
    }

    @Test func strictConversionWritesNothing() throws {
        let json = folder.path("clinic.json")
        let run = try CommandRun(arguments: ["model", "convert", model, "--out", json, "--strict", "--json"])
        #expect(run.status == 65)
        #expect(!FileManager.default.fileExists(atPath: json))
        let root = try #require(JSONSerialization.jsonObject(with: run.outputBytes) as? [String: Any])
        #expect(root["losses"] as? Int == 1)
        #expect((root["notes"] as? [Any])?.count == 2)
    }

    @Test func aMapProvidesExpressions() throws {
        let map = try folder.write(Data(#"{"transformers": {"ColorsTransformer": "reverse"}}"#.utf8), "map.json")
        let run = try CommandRun(arguments: ["model", "convert", model, "--map", map, "--strict"])
        #expect(run.status == 0)
        #expect(run.output.contains("\"transformer\" : \"reverse\""))
    }

    @Test func listsDifferences() throws {
        let old = "\(model)/Clinic.xcdatamodel"
        let run = try CommandRun(arguments: ["model", "diff", old, model])
        #expect(run.status == 1)
        #expect(run.output == "Patient.age: type Integer 16, now Integer 32\n")
        #expect(try CommandRun(arguments: ["model", "diff", model, model]).status == 0)
    }

    @Test func comparesWhetherModelsHaveTenants() throws {
        let text = #"{"transformableModel": 1, "entities": [{"name": "Ward"}]}"#
        let old = try folder.write(Data(text.utf8), "old.json")
        let new = try folder.write(Data(text.replacing("1,", with: #"1, "tenants": true,"#).utf8), "new.json")
        let run = try CommandRun(arguments: ["model", "diff", old, new])
        #expect(run.status == 1)
        #expect(run.output == "tenants: added (option)\n")
    }

    /// Members whose elements are objects are facts, unless the elements are properties of their own.
    @Test(
        arguments: [
            (
                #""transientRelationships": [{"name": "r", "to": "E"}]"#,
                #""transientRelationships": [{"name": "r", "to": "E", "many": true}]"#, "E.r: now many"
            ),
            (
                #""renamedFrom": [{"name": "D", "in": 2}]"#, #""renamedFrom": [{"name": "C", "in": 2}]"#,
                "E: renamedFrom D in 2, now C in 2"
            ),
            (
                #""indexes": [["b", {"name": "a", "descending": true}]]"#, #""indexes": [["b", "a"]]"#,
                "E: indexes b, a descending, now b, a"
            ),
            (
                #""projections": [{"name": "p", "transformer": "d", "attributes": [{"name": "a", "transformer": "x"}, "b"]}]"#,
                #""projections": [{"name": "p", "transformer": "d", "attributes": ["a", "b"]}]"#,
                "E.p: attributes a transformer x, b, now a, b"
            ),
        ] as [(String, String, String)]
    )
    func comparesListsOfObjects(old: String, new: String, difference: String) throws {
        let attributes = #""attributes": [{"name": "a", "type": "string"}, {"name": "b", "type": "string"}]"#
        let paths = try [old, new]
            .map { member in
                let text = """
                    {"transformableModel": 1, "version": 3, "entities": [{"name": "E", \(attributes), \(member)}]}
                    """
                return try folder.write(Data(text.utf8), "\(member == old ? "old" : "new").json")
            }
        let run = try CommandRun(arguments: ["model", "diff"] + paths)
        #expect(run.status == 1)
        #expect(run.output == "\(difference)\n")
    }

    @Test func comparesTheOrderOfFetchRequests() throws {
        let text = """
            {"transformableModel": 1, "entities": [{"name": "E", "attributes": [{"name": "a", "type": "string"}]}],
            "fetchRequests": [{"name": "all", "entity": "E", "sortedBy": [{"name": "a", "descending": true}]}]}
            """
        let old = try folder.write(Data(text.utf8), "old.json")
        let ascending = text.replacing(#"{"name": "a", "descending": true}"#, with: #""a""#)
        let new = try folder.write(Data(ascending.utf8), "new.json")
        let run = try CommandRun(arguments: ["model", "diff", old, new])
        #expect(run.output == "all: sortedBy a descending, now a\n")
    }

    @Test func comparesWithModelsAsJSON() throws {
        let json = folder.path("clinic.json")
        _ = try CommandRun(arguments: ["model", "convert", model, "--model-version", "Clinic", "--out", json])
        let run = try CommandRun(arguments: ["model", "diff", json, model, "--json"])
        #expect(run.status == 1)
        let root = try #require(JSONSerialization.jsonObject(with: run.outputBytes) as? [String: Any])
        let differences = try #require(root["differences"] as? [[String: String]])
        #expect(
            differences == [
                ["path": "Patient.age", "kind": "attribute", "fact": "type", "old": "int16", "new": "int32"]
            ]
        )
    }

    @Test func rejectsOldModelsAndMissingFiles() throws {
        let old = URL(filePath: folder.path("Old.xcdatamodel"))
        try FileManager.default.createDirectory(at: old, withIntermediateDirectories: true)
        try Data().write(to: old.appending(path: "elements"))
        let run = try CommandRun(arguments: ["model", "show", old.path])
        #expect(run.status == 65 && run.messages.contains("open and save it once in a newer Xcode"))
        #expect(try CommandRun(arguments: ["model", "show", folder.path("none.mom")]).status == 66)
    }

    @Test func inspectsModels() throws {
        let run = try CommandRun(arguments: ["inspect", model, "--json"])
        #expect(run.status == 0)
        let root = try #require(JSONSerialization.jsonObject(with: run.outputBytes) as? [String: Any])
        let facts = try #require(root["facts"] as? [String: Any])
        #expect(root["kind"] as? String == "Core Data model")
        #expect(facts["versions"] as? String == "Clinic, Clinic 2" && facts["current"] as? String == "Clinic 2")
        #expect(facts["entities"] as? Int == 1 && facts["attributes"] as? Int == 2)
    }
}
