import Testing
import TransformableCoreData
import TransformableModel

struct FetchRequestConversionTests {
    /// Predicates, and the conditions that say the same.
    @Test(arguments: [
        ("name == $NAME", "name == $NAME"),
        ("name BEGINSWITH[cd] $N AND isOpen == YES", "name startswith[cd] $N and isOpen == true"),
        ("name IN $NAMES || isOpen == NO", "name in $NAMES  or  isOpen == false"),
        ("owner.name == \"YES\" AND NOT (name == nil)", "owner.name == \"YES\" and not (name == null)"),
        ("added > CAST(86400.5, \"NSDate\")", "added > 2001-01-02T00:00:00.5Z"),
        ("added < cast(-978307200.000000, 'NSDate')", "added < 1970-01-01T00:00:00Z"),
        ("name LIKE 'A*b?'", "name like \"A%b_\""),
        ("name LIKE[cd] \"*x\" AND name != '*?'", "name like[cd] \"%x\" and name != \"*?\""),
        ("owner.size.width > 3", "owner.size.width > 3"), ("size == nil", "size == null"),
        (#"name == 'C:\\x'"#, #"name == "C:\\x""#), (#"name == 'it\'s "\n"'"#, #"name == "it's \"\u000a\"""#),
    ])
    func convertsFetchRequests(predicate: String, condition: String) throws {
        let conversion = try Self.convertRequest(predicate)
        #expect(conversion.model.fetchRequests.map(\.condition) == [condition])
        #expect(conversion.model.fetchRequests.map(\.limit) == [5])
        #expect(!conversion.hasLosses)
    }

    @Test(arguments: [
        "nobody == $X", "owner.nobody == $X", "name.length > 3", "owner.added.year == 1", "size.depth == 1",
        "size.width.x == 1", "SELF == $X", "name MATCHES $X", "ANY tags.name == $X", "name ==",
        "FUNCTION(1, 'x')", "name BETWEEN $RANGE AND (isOpen == YES)",
        "name LIKE $X", "name LIKE '50%*'", "name LIKE 'a_b'", #"name LIKE 'a\\*'"#, #"name == 'a\qb'"#, "name == 'a",
        "tags CONTAINS $X", "owner.tags CONTAINS[c] 'x'", "owner BEGINSWITH 'x'",
    ])
    func keepsOtherFetchRequestsAsUserInfo(predicate: String) throws {
        let conversion = try Self.convertRequest(predicate)
        #expect(conversion.model.fetchRequests.isEmpty)
        #expect(conversion.model.entity("E")?.userInfo == ["coredata.fetchRequest.r": "E: \(predicate) fetchLimit=5"])
        #expect(conversion.hasLosses)
    }

    @Test(arguments: ["all items", "2nd", "LATEST"])
    func keepsFetchRequestsWithInvalidNamesAsUserInfo(name: String) throws {
        var model = CoreDataModel(entities: [CoreDataEntity("E")])
        model.fetchRequests = [CoreDataFetchRequest("latest", entity: "E"), CoreDataFetchRequest(name, entity: "E")]
        let conversion = try model.converted()
        #expect(conversion.model.fetchRequests.map(\.name) == ["latest"])
        #expect(conversion.model.entity("E")?.userInfo == ["coredata.fetchRequest.\(name)": "E"])
        let text = "kept the fetch request as userInfo, because its name is invalid or used twice"
        #expect(conversion.notes.map(\.description) == ["E.\(name): \(text)"])
    }

    @Test func dropsFetchRequestsOfMissingEntities() throws {
        var model = CoreDataModel(entities: [CoreDataEntity("E")])
        model.fetchRequests = [CoreDataFetchRequest("all", entity: "Nobody")]
        let conversion = try model.converted()
        #expect(conversion.model.fetchRequests.isEmpty && conversion.hasLosses)
        let text = "dropped the fetch request, because its entity is not in the model"
        #expect(conversion.notes.map(\.description) == ["Nobody.all: \(text)"])
    }

    @Test(arguments: [
        ("includeSubentities", "YES", false), ("includePropertyValues", "YES", false), ("resultType", "1", true),
        ("includeSubentities", "NO", true), ("returnDistinctResults", "YES", true),
    ])
    func notesSettingsThatDifferFromTheDefault(name: String, value: String, isLoss: Bool) throws {
        let conversion = try Self.convertRequest("name == $N", [name: value])
        let request = try #require(conversion.model.fetchRequests.first)
        #expect(request.userInfo == (isLoss ? ["coredata.\(name)": value] : [:]))
        #expect(conversion.notes.map(\.isLoss) == (isLoss ? [true] : []))
    }

    private static func convertRequest(
        _ predicate: String,
        _ settings: [String: String] = ["fetchLimit": "5"]
    ) throws -> CoreDataConversion {
        var model = CoreDataModel(entities: [
            CoreDataEntity(
                "E",
                attributes: [
                    CoreDataAttribute("name", .string), CoreDataAttribute("isOpen", .boolean),
                    CoreDataAttribute("added", .date),
                    CoreDataAttribute("size", .composite, elements: [CoreDataAttribute("width", .double)]),
                ],
                relationships: [
                    CoreDataRelationship("owner", to: "E"), CoreDataRelationship("tags", to: "E", toMany: true),
                ]
            )
        ])
        var request = CoreDataFetchRequest("r", entity: "E", predicate: predicate)
        request.settings = settings
        model.fetchRequests = [request]
        return try model.converted()
    }
}
