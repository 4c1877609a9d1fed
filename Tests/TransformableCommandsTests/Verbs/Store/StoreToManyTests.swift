import Foundation
import Testing

/// To-many relationships in `set`, `insert`, `update`, `import`, and `show`.
@Suite struct StoreToManyTests {
    private let folder: TemporaryFolder
    private let store: String

    private static let model = """
        { "transformableModel": 1, "version": 1, "entities": [
          { "name": "Animal", "abstract": true },
          { "name": "Cat", "parent": "Animal" },
          { "name": "Dog", "parent": "Animal" },
          { "name": "Tag", "attributes": [ { "name": "text", "type": "string" } ] },
          { "name": "Person", "attributes": [ { "name": "name", "type": "string" } ],
            "relationships": [
              { "name": "tags", "to": "Tag", "many": true, "inverse": "people" },
              { "name": "list", "to": "Tag", "many": true, "ordered": true },
              { "name": "pets", "to": "Animal", "many": true, "ordered": true },
              { "name": "idol", "to": "Animal" },
              { "name": "badge", "to": "Badge", "inverse": "owner" },
              { "name": "children", "to": "Person", "many": true, "ordered": true, "inverse": "parent" },
              { "name": "parent", "to": "Person", "inverse": "children" } ] },
          { "name": "Badge", "relationships": [ { "name": "owner", "to": "Person", "inverse": "badge" } ] } ] }
        """
        .replacing(
            "{ \"name\": \"text\", \"type\": \"string\" } ] }",
            with: "{ \"name\": \"text\", \"type\": \"string\" } ], "
                + "\"relationships\": [ { \"name\": \"people\", \"to\": \"Person\", \"many\": true } ] }"
        )

    /// The store as it is made once for all tests.
    private static let template = Result {
        let folder = try TemporaryFolder()
        let store = folder.path("people.sqlite")
        let model = try folder.write(Data(Self.model.utf8), "people.json")
        let tags = ["a", "b", "c", "d"].map { ["insert", store, "Tag", "text=\($0)"] }
        let others = [["Cat"], ["Dog"], ["Dog"], ["Badge"], ["Person", "name=Ada"], ["Person", "name=Bob"]]
        for arguments in [["create", store, "--model", model]] + tags + others.map({ ["insert", store] + $0 }) {
            let run = try CommandRun(arguments: ["store"] + arguments)
            try #require(run.status == 0 && run.messages == "", "\(run.messages)")
        }
        return folder
    }

    init() throws {
        folder = try TemporaryFolder()
        store = folder.path("people.sqlite")
        try folder.copyFiles(of: Self.template.get())
    }

    @discardableResult
    private func run(_ verb: String, _ arguments: String..., input: String = "") throws -> CommandRun {
        try run(verb, arguments, input: input)
    }

    private func run(_ verb: String, _ arguments: [String], input: String = "") throws -> CommandRun {
        try CommandRun(arguments: ["store", verb, store] + arguments, input: Data(input.utf8))
    }

    /// The related objects of a person, as JSON.
    private func shown(_ name: String, of person: Int = 1) throws -> String {
        let run = try run("show", "Person", "--json", "--where", "_id == \(person)")
        let document = try JSONSerialization.jsonObject(with: run.outputBytes) as? [String: Any]
        let rows = document?["objects"] as? [[String: Any]]
        return try #require(rows?.first?[name].map { "\($0)" })
            .components(separatedBy: .whitespacesAndNewlines).joined()
    }

    @Test(arguments: [
        (["tags=1,3"], "tags", "(1,3)"), (["tags=3,1"], "tags", "(1,3)"), (["list=3,1,2"], "list", "(3,1,2)"),
        (["tags= 1 , 2 "], "tags", "(1,2)"), (["tags=[1, 2]"], "tags", "(1,2)"), (["tags=Tag/2"], "tags", "(2)"),
        (["tags="], "tags", "()"), (["list=2", "--null", "tags"], "list", "(2)"),
        (["children=2"], "children", "(2)"), (["pets=Dog/2,Cat/1,Dog/1"], "pets", "(\"Dog/2\",\"Cat/1\",\"Dog/1\")"),
        (["pets=[\"Dog/2\", \"Cat/1\"]"], "pets", "(\"Dog/2\",\"Cat/1\")"),
    ])
    func setsRelatedObjects(settings: [String], name: String, expected: String) throws {
        #expect(try run("set", ["Person", "1"] + settings).messages == "")
        #expect(try shown(name).replacing("[", with: "(").replacing("]", with: ")") == expected)
    }

    @Test func addsAndRemoves() throws {
        try run("set", "Person", "1", "list=3,1", "tags=1")
        #expect(try run("set", "Person", "1", "list+=4,2", "list-=1", "tags+=1,2").messages == "")
        #expect(try shown("list") == "(3,4,2)" || shown("list") == "[3,4,2]")
        #expect(try run("show", "Tag", "--csv").output.contains("2,b,1\r\n"))
        #expect(try run("set", "Person", "1", "--null", "list").messages == "")
        #expect(try run("show", "Person", "--csv").output.contains("1,Ada,,,,\"1,2\",,,,"))
    }

    @Test func aRelationshipIsAColumn() throws {
        try run("set", "Person", "2", "list=3,1", "idol=Dog/1")
        let shown = try run("show", "Person", "--columns", "name,list,idol", "--csv", "--where", "_id == 2").output
        #expect(shown == "name,list,idol\r\nBob,\"3,1\",Dog/1\r\n")
    }

    @Test func insertsAndUpdates() throws {
        #expect(try run("insert", "Person", "name=Cid", "tags=2,4", "parent=1").output == "3\n")
        #expect(try run("update", "Person", "--where", "true", "tags+=1").output == "3 objects updated\n")
        let shown = try run("show", "Person", "--sort", "_id").output
        #expect(shown.contains("1, 2, 4"))
    }

    @Test func readsNumbersFromAFile() throws {
        let file = try folder.write(Data("3,1\n".utf8), "numbers")
        #expect(try run("set", "Person", "1", "list=@\(file)").messages == "")
        #expect(try run("show", "Person", "--csv").output.contains("\"3,1\""))
    }

    @Test func setsTheOtherSideOfOneToOne() throws {
        #expect(try run("set", "Person", "1", "badge=1").messages == "")
        #expect(try run("show", "Badge", "--csv").output.hasSuffix("1,1\r\n"))
        #expect(try run("set", "Badge", "1", "owner=2").messages == "")
        #expect(try run("show", "Badge", "--csv").output.hasSuffix("1,2\r\n"))
        #expect(try run("set", "Person", "2", "--null", "badge").messages == "")
        #expect(try run("show", "Badge", "--csv").output.hasSuffix("1,\r\n"))
    }

    @Test func setsAnObjectOfAFamilyByEntityName() throws {
        #expect(try run("set", "Person", "1", "idol=Dog/2").messages == "")
        #expect(try run("set", "Person", "1", "idol=Cat/1").messages == "")
        let header = try #require(try run("show", "Person", "--csv").output.split(separator: "\r\n").first)
        #expect(header.contains("idol.Cat,idol.Dog") && !header.contains(",idol,"))
        #expect(try run("show", "Person", "--where", "idol.Cat == 1", "--csv").output.contains("1,Ada,1,,"))
    }

    @Test(arguments: [
        (["tags=x"], 65, "“tags” requires the numbers of Tag objects, as in 1,2"),
        (["tags=1,,2"], 65, "requires the numbers"), (["tags=1,1"], 65, "twice"), (["tags=-1"], 65, "numbers"),
        (["tags=99"], 66, "Tag/99"), (["tags=Dog/1"], 65, "numbers"), (["pets=1"], 64, "“Cat/1” or “Dog/1”"),
        (["tags=99999999999999999999"], 65, "numbers"), (["name+=x"], 64, "“name” is not a to-many relationship"),
        (["parent+=1"], 64, "“parent” is not a to-many relationship"),
        (["tags=1", "tags+=2"], 64, "“tags” is given twice"),
        (["tags+=2", "tags=1"], 64, "“tags” is given twice"), (["idol=Dog/1,Dog/2"], 65, "can have only one object"),
        (["toes=1"], 64, "“tags”"),
    ])
    func rejectsInvalidReferences(settings: [String], status: Int32, message: String) throws {
        let run = try run("set", ["Person", "1"] + settings)
        #expect(run.status == status)
        #expect(run.messages.contains(message), "\(run.messages)")
        #expect(try shown("tags").filter { $0.isNumber } == "")
    }

    @Test(arguments: [
        ("csv", "name,tags,list,parent\nCid,\"1,4\",\"3,1\",1\nDot,,2,\n"),
        ("json", #"{"name":"Cid","tags":[1,4],"list":[3,1],"parent":1}"# + "\n" + #"{"name":"Dot","list":["Tag/2"]}"#),
    ])
    func importsReferences(format: String, text: String) throws {
        #expect(try run("import", "Person", "--format", format, input: text).messages == "")
        #expect(try run("show", "Person", "--csv", "--where", "name == \"Cid\"").output.contains("\"1,4\",\"3,1\""))
        #expect(try run("show", "Person", "--csv", "--where", "_id == 1").output.contains(",3\r\n"))
        #expect(try shown("list", of: 4).filter(\.isNumber) == "2")
    }

    @Test func errorsOfAnImportNameTheLineOfAReference() throws {
        let run = try run("import", "Person", "--format", "csv", input: "name,tags\nCid,1\nDot,9\n")
        #expect(run.status == 66)
        #expect(run.messages.hasPrefix("error: line 3: ") && run.messages.contains("Tag/9"))
        #expect(try self.run("show", "Person", "--csv").output.contains("Cid") == false)
    }

    @Test func importsTheOutputOfShow() throws {
        try run("set", "Person", "1", "list=3,1", "tags=2", "pets=Dog/1,Cat/1")
        for notation in ["csv", "json"] {
            let text = try run("show", "Person", "--\(notation)", "--where", "_id == 1").output
            #expect(try run("import", "Person", "--format", notation, input: text).messages == "")
        }
        let rows = try run("show", "Person", "--csv", "--where", "name == \"Ada\"").output.split(separator: "\r\n")
        #expect(Set(rows.dropFirst().map { $0.drop { $0 != "," } }).count == 1)
        #expect(rows.count == 4)
    }

    @Test(arguments: [
        (1, 9, "Person.tags, object 1: it refers to an object of Tag (number 9)"),
        (8, 2, "(number 8) refers to an object of Tag (number 2)"),
    ])
    func anImportNamesTheObjectsOfADanglingPair(person: Int, tag: Int, message: String) throws {
        try run("set", "Person", "1", "tags=2")
        let export = folder.path("export")
        #expect(try run("export", "--out", export).status == 0)
        let line = "{\"_id\":\(person),\"tags\":{\"entity\":\"Tag\",\"_id\":\(tag)}}\n"
        _ = try folder.write(Data(line.utf8), "export/Person.tags.jsonl")
        let copy = folder.path("copy.sqlite")
        let run = try CommandRun(arguments: ["store", "import", copy, "--folder", export])
        #expect(run.status == 65)
        #expect(run.messages.contains(message), "\(run.messages)")
    }
}
